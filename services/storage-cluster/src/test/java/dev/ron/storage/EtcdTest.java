package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static dev.ron.storage.Rig.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that find each other in a real etcd, and in nothing else. */
@Timeout(180)
final class EtcdTest {
  private static final int OBJECTS = 12;

  @TempDir private Path folder;
  private final Map<String, Rig> nodes = new TreeMap<>();
  private EtcdProcess etcd;

  @BeforeEach
  void start() throws IOException {
    Optional<Path> program = EtcdProcess.installed();
    assumeTrue(
        program.isPresent(),
        "NOT RUN: membership by etcd is not tested, because etcd is not installed"
            + " (the package is etcd-server)");
    etcd = new EtcdProcess(program.get(), folder.resolve("etcd"));
  }

  @AfterEach
  void stop() {
    nodes.values().forEach(Rig::close);
    if (etcd != null) {
      etcd.close();
    }
  }

  @Test
  @Tag("long")
  void nodesFindEachOtherComeAndGoAndOutliveTheRegistry() throws Exception {
    for (String name : List.of("a", "b", "c")) {
      node(name);
    }
    awaitMembers("a", "b", "c");
    for (int i = 0; i < OBJECTS; i++) {
      put("a", i);
    }

    node("d");
    awaitMembers("a", "b", "c", "d");
    eventually("the new node has its share, and no node more than that", () -> holders("d") > 0);
    readAll();

    // The registry dies: everything stays as it was known.
    etcd.kill9();
    put("b", OBJECTS);
    eventually("the loss is noticed", () -> registry().startsWith("etcd is away"));
    readAll();
    awaitMembers("a", "b", "c", "d");

    // It returns, and a node leaves for good: after the grace it is planned around and forgotten.
    etcd.startAgain();
    eventually("the registry is back", () -> registry().equals("etcd"));
    nodes.remove("d").close();
    awaitMembers("a", "b", "c");
    eventually("two copies of everything on those that are left", () -> copiesLeast() >= 2);
    readAll();
  }

  @Test
  void aNodeThatHasNotHeardOfTheOthersDoesNotSpeakForThem() throws Exception {
    etcd.kill9();
    node("a");
    Rig alone = nodes.get("a");
    String path = "/o/" + address(object(1));
    assertThat(Rig.words(alone.get(path))).startsWith("503 ").contains("not known yet");
    assertThat(ClusterTest.status(alone, "DELETE", path)).isEqualTo(503);
    assertThat(Rig.words(alone.get("/readyz"))).startsWith("503 ").contains("membership");
    etcd.startAgain();
    eventually("the registry is heard", () -> ClusterTest.status(alone, path) == 404);
    eventually("it is ready", () -> ClusterTest.status(alone, "/readyz") == 200);
  }

  @Test
  @Tag("long")
  void theDrainIsHeardDuringAWatchOfTwentyMinutes() throws Exception {
    Map<String, String> table =
        Rig.table(
            folder.resolve("a"),
            "bind=127.0.0.1:" + FreePorts.one(),
            "cluster.etcd=" + etcd.url(),
            "cluster.etcd_ttl=1h");
    var node = ClusterRig.node(table);
    nodes.put("a", node);
    eventually("the registry is heard", () -> registry().equals("etcd"));
    var report = node.drain();
    assertThat(report.tasksAborted()).as(report.toString()).isZero();
  }

  @Test
  void anEntryOfAStrangerGetsNoCapability() throws Exception {
    World world = World.real(Log.silent());
    var authority = new Authority(folder.resolve("authority"));
    var foreign = new Authority(folder.resolve("foreign"));
    var asked = new AtomicInteger();
    int port = FreePorts.one();
    Map<String, String> table =
        Rig.table(
            folder.resolve("a"),
            "cluster.bind=127.0.0.1:" + port,
            "cluster.etcd=" + etcd.url(),
            "cluster.etcd_ttl=3s");
    for (String each : authority.pair("a")) {
      table.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
    }
    try (var plain = new Stranger(world, 0);
        var secured = new Stranger(world, 0, foreign.pair("y"))) {
      eventually("etcd takes entries", () -> entry("x", "http://127.0.0.1:" + plain.port()));
      entry("y", "https://localhost:" + secured.port());
      entry("z", "http://127.0.0.1:" + plain.port() + "\\n");
      var node =
          ClusterRig.node(
              table,
              world,
              null,
              () -> {
                asked.incrementAndGet();
                return "the-capability";
              });
      nodes.put("a", node);
      eventually("y is known, x and z are not", () -> known(node, "y"));
      eventually("y was asked again and again", () -> asked.get() > 5);
      assertThat(ClusterTest.repair(node))
          .contains("\"presence\":\"away\"")
          .contains("etcd, without 2 entries: x at http://127.0.0.1:" + plain.port());
      assertThat(plain.heard()).isEmpty();
      assertThat(secured.heard()).isEmpty();
    }
  }

  private boolean entry(String name, String url) {
    try {
      etcd.put(
          "/ron/storage/" + name,
          "{\"url\":\"%s\",\"region\":\"local\",\"weight\":1}".formatted(url));
      return true;
    } catch (IOException e) {
      return false; // not up yet
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean known(Rig node, String only) {
    String words = ClusterTest.repair(node);
    return words.contains("\"node\":\"" + only + "\",\"url\"")
        && !words.contains("\"node\":\"x\",\"url\"")
        && !words.contains("\"node\":\"z\",\"url\"");
  }

  private void node(String name) throws Exception {
    int port = FreePorts.one();
    Map<String, String> table =
        Rig.table(
            folder.resolve(name),
            "bind=127.0.0.1:" + port,
            "durability.replication=2",
            "durability.plan_period=200ms",
            "cluster.node=" + name,
            "cluster.etcd=" + etcd.url(),
            "cluster.etcd_ttl=3s",
            "cluster.grace=2s");
    nodes.put(name, ClusterRig.node(table));
  }

  private void awaitMembers(String... names) throws InterruptedException {
    for (Map.Entry<String, Rig> node : nodes.entrySet()) {
      var others = new ArrayList<>(List.of(names));
      others.remove(node.getKey());
      eventually(
          () -> node.getKey() + " knows " + others + " in " + ClusterTest.repair(node.getValue()),
          () -> known(node.getValue()).equals(others));
    }
  }

  /** The other nodes, as one says; none while one of them does not answer. */
  private static List<String> known(Rig node) {
    String words = ClusterTest.repair(node);
    if (words.contains("\"presence\":\"away\"")) {
      return List.of();
    }
    var names = new ArrayList<String>();
    var found = java.util.regex.Pattern.compile("\"node\":\"(\\w+)\",\"url\"").matcher(words);
    while (found.find()) {
      names.add(found.group(1));
    }
    return names;
  }

  /** As all nodes say; nothing while they differ. */
  private String registry() {
    List<String> said =
        nodes.values().stream()
            .map(node -> Rig.field(ClusterTest.repair(node), "registry"))
            .map(words -> words.startsWith("etcd is away") ? "etcd is away" : words)
            .distinct()
            .toList();
    return said.size() == 1 ? said.getFirst() : "";
  }

  private void put(String node, int number) throws InterruptedException {
    eventually(
        "object " + number + " is stored",
        () -> {
          try {
            return nodes.get(node).put(object(number)).statusCode() < 300;
          } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  private void readAll() throws Exception {
    for (int i = 0; i < OBJECTS; i++) {
      for (Rig node : nodes.values()) {
        var answer = node.get("/o/" + address(object(i)));
        assertThat(answer.statusCode()).as(Rig.words(answer)).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(object(i));
      }
    }
  }

  private long holders(String node) {
    long held = 0;
    for (int i = 0; i <= OBJECTS; i++) {
      held +=
          ClusterTest.status(nodes.get(node), "/peer/stat/" + address(object(i))) == 200 ? 1 : 0;
    }
    return held;
  }

  /** Of the object that has the fewest. */
  private long copiesLeast() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i <= OBJECTS; i++) {
      String path = "/peer/stat/" + address(object(i));
      long copies =
          nodes.values().stream().filter(node -> ClusterTest.status(node, path) == 200).count();
      least = Math.min(least, copies);
    }
    return least;
  }

  private static byte[] object(int number) {
    return bytes(900 + number, 3000 + number);
  }
}
