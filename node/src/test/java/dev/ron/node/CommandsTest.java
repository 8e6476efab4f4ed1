package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.AccessDecision;
import dev.ron.capability.KeyPair;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.AccessRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import picocli.CommandLine;

/** The commands that need no running node. */
@ResourceLock(Resources.SYSTEM_OUT)
class CommandsTest {
  @TempDir private Path data;

  @Test
  void everyCommandSaysWhatItIsFor() {
    Ron.commandLine().getSubcommands().forEach((name, line) -> asked(List.of(name), line));
  }

  /** By its own name, alone and under the commands that hold it. */
  private static void asked(List<String> path, CommandLine line) {
    assertThat(line.getCommandName()).isEqualTo(path.getLast());
    var words = new ArrayList<>(path);
    words.add("--help");
    Said said = Said.by(words.toArray(String[]::new));
    assertThat(said.exit()).as(words.toString()).isZero();
    assertThat(said.out()).startsWith("Usage: ron " + String.join(" ", path));
    line.getSubcommands()
        .forEach(
            (name, below) -> {
              var deeper = new ArrayList<>(path);
              deeper.add(name);
              asked(deeper, below);
            });
  }

  @Test
  void aMintedTokenAllowsWhatItSaysAndNoMore() throws Exception {
    NodeKeys.openOrMake(data);
    String token =
        ron(
                "cap",
                "mint",
                "--tenant",
                "acme",
                "--service",
                "mailbox",
                "--op",
                "send,recv",
                "--prefix",
                "orders",
                "--for",
                "10m")
            .out()
            .strip();
    var verifier = new Verifier(NodeKeys.open(data).trust());
    AccessRequest ask =
        AccessRequest.of("mailbox", "send", Instant.now()).forTenant("acme").onPath("orders.new");
    assertThat(verifier.verify(token, ask)).isInstanceOf(AccessDecision.Granted.class);
    assertThat(
            verifier.verify(
                token, AccessRequest.of("mailbox", "ack", Instant.now()).onPath("orders")))
        .isInstanceOf(AccessDecision.Refused.class);
    assertThat(
            verifier.verify(
                token, AccessRequest.of("storage", "send", Instant.now()).onPath("orders")))
        .isInstanceOf(AccessDecision.Refused.class);
  }

  @Test
  void attenuatingNeedsNoKeyAndInspectingShowsEveryCaveat() throws Exception {
    NodeKeys.openOrMake(data);
    String token = ron("cap", "mint").out().strip();
    String narrow =
        ron0("cap", "attenuate", token, "--op", "recv", "--caveat", "zoom = 0-10").strip();
    assertThat(ron0("cap", "inspect", narrow))
        .contains("identifier  ron1:", "caveat      op = recv", "caveat      zoom = 0-10")
        .doesNotContain(narrow);
  }

  @Test
  void aKeyPairIsTheTokenCutInTwo() throws Exception {
    NodeKeys.openOrMake(data);
    String token = ron("cap", "mint", "--bucket", "logs", "--key", "a b/").out().strip();
    assertThat(ron0("cap", "inspect", token))
        .contains("caveat      bucket = logs", "caveat      key = a%20b/");
    String narrow = ron0("cap", "attenuate", token, "--op", "get").strip();
    String[] lines = ron0("cap", "keypair", narrow).lines().toArray(String[]::new);
    assertThat(lines).hasSize(2);
    String id = lines[0].replaceFirst("access key id +", "");
    String secret = lines[1].replaceFirst("secret access key +", "");
    var verifier = new Verifier(NodeKeys.open(data).trust());
    assertThat(verifier.find(id, Optional.empty(), Instant.now()))
        .isInstanceOfSatisfying(
            KeyPair.Found.class, found -> assertThat(found.secret()).isEqualTo(secret));
    assertThat(ron0("cap", "keypair", narrow, "--json").strip())
        .isEqualTo(
            "{\"Version\":1,\"AccessKeyId\":\"%s\",\"SecretAccessKey\":\"%s\"}"
                .formatted(id, secret));
    String ending =
        ron0("cap", "attenuate", narrow, "--caveat", "expires = 2099-01-01T00:00:00Z").strip();
    assertThat(ron0("cap", "keypair", ending, "--json"))
        .contains(",\"Expiration\":\"2099-01-01T00:00:00Z\"}");
  }

  @Test
  void aRevokedTokenIsRefused() throws Exception {
    NodeKeys.openOrMake(data);
    String token = ron("cap", "mint").out().strip();
    assertThat(ron("cap", "revoke", token).out()).startsWith("revoked ");
    var verifier = new Verifier(NodeKeys.open(data).trust());
    assertThat(verifier.verify(token, AccessRequest.of("mailbox", "send", Instant.now())))
        .isInstanceOf(AccessDecision.Refused.class);
  }

  /** What a program asks for is one object a line. */
  @Test
  void capabilitiesAreToldToAProgramToo() throws Exception {
    NodeKeys.openOrMake(data);
    String minted = ron("cap", "mint", "--json").out();
    assertThat(minted).matches("\\{\"capability\":\"[^\"]+\"}\n");
    String token = minted.replaceAll(".*:\"([^\"]+)\"}\n", "$1");
    assertThat(ron0("cap", "attenuate", "--json", token, "--op", "recv"))
        .matches("\\{\"capability\":\"[^\"]+\"}\n");
    assertThat(ron0("cap", "inspect", "--json", token))
        .matches("\\{\"identifier\":\"[^\"]+\",\"hash\":\"[^\"]+\",\"caveats\":\\[.*]}\n");
    assertThat(ron("cap", "show", "--json").out()).matches("\\{\"capability\":\"[^\"]+\"}\n");
    assertThat(ron("cap", "revoke", "--json", token).out()).matches("\\{\"revoked\":\"[^\"]+\"}\n");
    assertThat(ron("cap", "rotate", "--json").out())
        .matches("\\{\"key\":\"[^\"]+\",\"retired\":\\[\\{\"(key|until)\":\"[^\"]+\",.*}]}\n");
  }

  @Test
  void mistakesAreNamedWithWhatToDo() throws Exception {
    assertThat(ron("cap", "mint").err())
        .startsWith("ron: no keys under ")
        .contains("start the node once with `ron up --data ");
    NodeKeys.openOrMake(data);
    assertThat(ron("cap", "mint", "--caveat", "planet = mars").err())
        .isEqualTo(
            "ron: caveat `planet = mars` is not one Ron knows, so every verifier would refuse"
                + " it\n");
    assertThat(ron("cap", "mint", "--for", "10 parsecs").exit()).isEqualTo(1);
  }

  @Test
  void whatFailedSaysWhyAndWhatToDo() throws Exception {
    String file = data.resolve("nothing.txt").toString();
    assertThat(Said.by("put", file).err()).isEqualTo("ron: " + file + ": there is no such file\n");
    assertThat(Said.by("topics", "--url", "http://127.0.0.1:1").err())
        .isEqualTo(
            "ron: cannot connect to 127.0.0.1:1; start a node with `ron up`, or say by --url where"
                + " it is\n");
    assertThat(Said.by("cap", "keypair", "").err())
        .isEqualTo(
            "ron: the capability is empty: set RON_CAP to it; `ron cap show` prints the"
                + " operator's\n");
  }

  @Test
  void theConfigurationShowsEveryValueAndItsOrigin() throws Exception {
    Path file = data.resolve("ron.toml");
    Files.writeString(file, "[node]\nlog = \"json\"\n");
    String shown =
        ron0(
            "config", "--config", file.toString(), "--base-port", "9000", "--set", "node.drain=2s");
    assertThat(shown.lines().map(line -> line.replaceAll(" +", " ")))
        .contains(
            "node.base_port 9000 --set node.base_port",
            "node.drain \"2s\" --set node.drain",
            "node.limits \"hardened\" default",
            "node.log \"json\" " + file + ":2:1",
            "admin.bind \"127.0.0.1:9010\" default");
  }

  @Test
  void anUnknownKeyStopsWithItsPlaceAndTheNearestOne() throws Exception {
    Path file = data.resolve("ron.toml");
    Files.writeString(file, "[node]\nbase_prot = 1\n");
    Said said = Said.by("config", "--config", file.toString());
    assertThat(said.exit()).isEqualTo(1);
    assertThat(said.err()).contains(file + ":2:1", "base_prot", "node.base_port");
  }

  private Said ron(String... args) throws Exception {
    var all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--data", data.toString()));
    return Said.by(all.toArray(String[]::new));
  }

  private static String ron0(String... args) throws Exception {
    Said said = Said.by(args);
    assertThat(said.exit()).as(said.err()).isZero();
    return said.out().strip() + "\n";
  }
}
