package dev.ron.node.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.node.Ron;
import dev.ron.node.RunningNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The rewarder's commands against a running node, with a policy signed by its own key. */
@Timeout(60)
@ResourceLock(Resources.SYSTEM_OUT)
class EpochCommandTest {
  @TempDir private Path data;

  @Test
  void anEpochIsSignedComputedVerifiedExplainedAndSimulated() throws Exception {
    Map<String, String> settings =
        Map.of("rewarder.inputs", "files", "rewarder.storage_url", "http://127.0.0.1:1");
    try (RunningNode node = RunningNode.start(data, settings)) {
      String url = node.url("rewarder");
      Path plain =
          Files.writeString(
              data.resolve("policy.json"),
              "{\"id\":\"p\",\"version\":1,\"weights_ppm\":{\"m\":1},\"rounding\":\"floor\","
                  + "\"min_payout_minor\":\"0\",\"on_bad_line\":\"refuse\"}");
      String signed = say("epoch", "sign", plain.toString(), "--data", data.toString());
      assertThat(signed).startsWith("0 {").contains("\"alg\":\"ed25519\"");
      String policy = seal(signed.substring(2));
      String accounting = seal("actor,metric,units\nalice,m,3\nbob,m,1\n");
      String ledger = seal("{\"pool_minor\":\"100\",\"asset\":\"ROC\",\"epoch\":\"e1\"}");
      String token = node.keys().adminToken();
      assertThat(
              ron(
                  url,
                  token,
                  "epoch",
                  "compute",
                  "e1",
                  "--accounting",
                  accounting,
                  "--ledger",
                  ledger,
                  "--policy",
                  policy))
          .startsWith("0 epoch        e1\nstatus       closed\n")
          .contains("paid         100 to 2 lines\n");
      assertThat(ron(url, token, "epoch", "status", "e1", "--json")).contains("\"lines\":2");
      assertThat(ron(url, token, "epoch", "verify", "e1")).startsWith("0 verified: root b3:");
      assertThat(ron(url, token, "epoch", "explain", "e1", "alice"))
          .contains("pool all: 100 x 3 / 4 = 75, remainder 0\n")
          .contains("proof        1 steps");
      assertThat(ron(url, token, "epoch", "simulate", "--policy", policy, "e1"))
          .startsWith("0 epoch")
          .contains("e1 ");
      assertThat(ron(url, "", "epoch", "verify", "e1")).startsWith("1 ");
    }
  }

  private String seal(String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    String address = new Address(Blake3.hash(bytes)).toString();
    Path folder = Files.createDirectories(data.resolve("rewarder/inputs"));
    Files.write(folder.resolve(address), bytes);
    return address;
  }

  private static String ron(String url, String token, String... args) {
    var all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--url", url, "--cap", token));
    return say(all.toArray(String[]::new));
  }

  /** The exit code, a space, and what was said. */
  private static String say(String... args) {
    PrintStream before = System.out;
    var out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, UTF_8));
    try {
      return Ron.run(args) + " " + out.toString(UTF_8);
    } finally {
      System.setOut(before);
    }
  }
}
