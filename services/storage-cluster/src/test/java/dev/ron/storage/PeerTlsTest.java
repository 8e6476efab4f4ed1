package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static dev.ron.storage.Rig.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.http.Headers;
import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.http.tls.PeerTls;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import dev.ron.storage.cluster.core.Presence;
import dev.ron.testkit.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that know each other by certificates, over real connections. */
@Timeout(300)
final class PeerTlsTest {
  private final World world = World.real(Log.silent());
  private final KeyRing ring = KeyRing.generate(world.secrets());
  private final Verifier verifier = new Verifier(new Trust(ring, new Revocations(Set.of())));
  private final AtomicInteger minted = new AtomicInteger();
  private final Map<String, Rig> nodes = new TreeMap<>();
  private final Map<String, Integer> ports = new TreeMap<>();

  @TempDir private Path folder;

  @AfterEach
  void stop() {
    nodes.values().forEach(Rig::close);
  }

  @Test
  void nodesWithCertificatesOfOneAuthorityShareObjects() throws Exception {
    var authority = new Authority(folder.resolve("authority"));
    cluster("a", "b", "c");
    for (String name : ports.keySet()) {
      node(name, authority.pair(name));
    }
    byte[] object = bytes(1, 300_000);
    eventually("stored", () -> status("a", "PUT", "/o/" + address(object), object) == 201);
    for (String name : ports.keySet()) {
      eventually(name + " finds it", () -> reads(name, object));
    }
    assertThat(status("a", "GET", "/peer/status", new byte[0]))
        .as("nodes have a door of their own")
        .isEqualTo(404);
    eventually("a capability is asked for, again and again", () -> minted.get() > 3);
  }

  @Test
  void aNodeWithAForeignOrAnExpiredCertificateIsNone() throws Exception {
    var authority = new Authority(folder.resolve("authority"));
    var stranger = new Authority(folder.resolve("stranger"));
    cluster("a", "b", "c", "d");
    node("a", authority.pair("a"));
    node("b", authority.pair("b"));
    node("c", stranger.pair("c"));
    node("d", authority.expired("d"));
    // A node believes at its start that the others are there; only what it heard counts here.
    Instant heardOnly = world.time().now().plus(Presence.SILENCE_MAX);
    eventually("no stranger is taken for a node", () -> strangersSeen().isEmpty());
    int before = minted.get();
    eventually(
        "each was asked several times",
        () -> {
          assertThat(strangersSeen()).as("pairs that hear each other").isEmpty();
          return minted.get() > before + 40;
        });
    eventually(
        "a and b hear each other",
        () ->
            world.time().now().isAfter(heardOnly)
                && presence("a", "b").equals("here")
                && presence("b", "a").equals("here"));
  }

  /** Which of the pairs that have no authority in common take each other for nodes. */
  private List<String> strangersSeen() {
    return Stream.of("a c", "a d", "b c", "b d", "c a", "c b", "c d", "d a", "d b", "d c")
        .filter(pair -> !presence(pair.substring(0, 1), pair.substring(2)).equals("away"))
        .toList();
  }

  @Test
  void theNodesDoorTakesNoConnectionWithoutACertificate() throws Exception {
    var authority = new Authority(folder.resolve("authority"));
    var stranger = new Authority(folder.resolve("stranger"));
    cluster("a", "b");
    node("a", authority.pair("a"));
    assertThat(asked(authority.pair("b"), authority)).isEqualTo(200);
    assertThatThrownBy(() -> asked(stranger.pair("b"), authority)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> asked(authority.expired("e"), authority))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> asked(new String[0], authority)).isInstanceOf(IOException.class);
  }

  @Test
  void aNodeThatIsNotProvedGetsNoCapability() throws Exception {
    var authority = new Authority(folder.resolve("authority"));
    var stranger = new Authority(folder.resolve("stranger"));
    cluster("a", "b");
    try (var other = new Stranger(world, ports.get("b"), stranger.pair("b"))) {
      node("a", authority.pair("a"));
      eventually("a has tried", () -> minted.get() > 3);
      eventually("it is away", () -> presence("a", "b").equals("away"));
      assertThat(other.heard()).isEmpty();
    }
  }

  private void cluster(String... names) throws IOException {
    List<Integer> free = FreePorts.several(names.length);
    for (int i = 0; i < names.length; i++) {
      ports.put(names[i], free.get(i));
    }
  }

  private void node(String name, String... tls) throws Exception {
    var peers = new ArrayList<String>();
    ports.forEach((each, port) -> peers.add(each + "=https://localhost:" + port));
    Map<String, String> table =
        Rig.table(
            folder.resolve(name),
            "durability.replication=2",
            "cluster.node=" + name,
            "cluster.peers=" + String.join(",", peers));
    for (String each : tls) {
      table.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
    }
    nodes.put(name, ClusterRig.node(table, world, verifier, this::token));
  }

  private String token() {
    minted.incrementAndGet();
    return mint(
        new Caveat.Operation(Set.of("peer")),
        new Caveat.Expiry(world.time().wall().plusSeconds(60).truncatedTo(ChronoUnit.SECONDS)));
  }

  private String mint(Caveat... caveats) {
    return new TokenMint(ring, world.secrets()).mint(List.of(caveats)).token();
  }

  private int status(String node, String method, String path, byte[] body) {
    try {
      return nodes
          .get(node)
          .send(method, path, body, "Authorization", "Bearer " + mint())
          .statusCode();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether a node has it or gets it from another; what it gives out is always the object. */
  private boolean reads(String node, byte[] object) {
    try {
      var answer = nodes.get(node).get("/o/" + address(object));
      if (answer.statusCode() != 200) {
        return false;
      }
      assertThat(answer.body()).as(node).isEqualTo(object);
      return true;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** What one node says of another. */
  private String presence(String node, String of) {
    try {
      var answer = nodes.get(node).get("/repair", "Authorization", "Bearer " + mint());
      var found =
          java.util.regex.Pattern.compile(
                  "\"node\":\"" + of + "\",\"url\":\"[^\"]*\",\"presence\":\"(\\w+)\"")
              .matcher(Rig.words(answer));
      return found.find() ? found.group(1) : Rig.words(answer);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Asks the door of node a, with these files and a good capability. */
  private int asked(String[] tls, Authority trusted) throws Exception {
    var scope = Scope.of("test", world);
    var config = HttpClientConfig.standard().with(AddressPolicy.ANY).trusting(trusted.file());
    var files = new HashMap<String, Path>();
    for (String each : tls) {
      files.put(
          each.substring("cluster.tls.".length(), each.indexOf('=')),
          Path.of(each.substring(each.indexOf('=') + 1)));
    }
    Optional<PeerTls> shown =
        Optional.ofNullable(files.get("cert"))
            .map(cert -> new PeerTls(cert, files.get("key"), trusted.file()));
    try (var client =
        shown.isPresent()
            ? new HttpClient(scope, config, shown.get())
            : new HttpClient(scope, config)) {
      var request =
          ClientRequest.of(
              "GET",
              URI.create("https://localhost:" + ports.get("a") + "/peer/status"),
              new Headers(1).add("Authorization", "Bearer " + token()),
              new byte[0]);
      try (ClientAnswer answer =
          client.send(request, Deadline.in(Duration.ofSeconds(60), world.time()))) {
        return answer.status();
      }
    }
  }
}
