package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static dev.ron.storage.Rig.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.kernel.disk.RealDisk;
import dev.ron.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
    eventually("the new node has its share, and nobody more than that", () -> holders("d") > 0);
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
    nodes.put(name, new Rig(table, new RealDisk(), null));
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
