package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static dev.ron.storage.Rig.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several nodes in one process: what a client of any of them sees. */
@Timeout(120)
final class ClusterTest {
  private static final String[] TWO_COPIES = {
    "durability.replication=2", "durability.plan_period=200ms", "cluster.grace=1h"
  };

  @TempDir private Path folder;

  @Test
  void whatIsPutOnOneNodeIsReadFromAll() throws Exception {
    try (var cluster = new ClusterRig(folder, 3, TWO_COPIES)) {
      for (int size : new int[] {0, 1, 70_000, 1 << 20}) {
        byte[] object = bytes(size, size);
        assertThat(cluster.node("a").put(object).statusCode()).isEqualTo(201);
        assertThat(cluster.node("b").put(object).statusCode()).isEqualTo(200);
        for (Rig node : cluster.nodes.values()) {
          var whole = node.get("/o/" + address(object));
          assertThat(whole.statusCode()).isEqualTo(200);
          assertThat(whole.body()).isEqualTo(object);
        }
        eventually("two copies", () -> cluster.holders(object).size() == 2);
        if (size > 100) {
          for (Rig node : cluster.nodes.values()) {
            var range = node.get("/o/" + address(object), "Range", "bytes=10-66000");
            assertThat(range.statusCode()).isEqualTo(206);
            assertThat(range.body()).isEqualTo(Arrays.copyOfRange(object, 10, 66_001));
          }
        }
        assertThat(cluster.node("c").get("/o/" + address(object) + "?proof=bao").statusCode())
            .isEqualTo(200);
      }
      assertThat(cluster.node("c").get("/o/" + address(new byte[] {9})).statusCode())
          .isEqualTo(404);
    }
  }

  @Test
  void aLargeUploadToAnyNodeIsReadFromAll() throws Exception {
    try (var cluster = new ClusterRig(folder, 3, TWO_COPIES)) {
      byte[] object = bytes(3, 5_000_000);
      var client = new KillClient(cluster.node("a").client, cluster.node("a").port());
      assertThat(client.upload(object)).isTrue();
      for (Rig node : cluster.nodes.values()) {
        assertThat(node.get("/o/" + address(object)).body()).isEqualTo(object);
      }
      assertThat(Rig.words(cluster.node("b").get("/o"))).contains(address(object).toString());
    }
  }

  @Test
  void aWriteThatFindsTooFewNodesIsRefusedAndLeavesNothing() throws Exception {
    try (var cluster = new ClusterRig(folder, 3, TWO_COPIES)) {
      cluster.stop("b");
      cluster.stop("c");
      byte[] object = bytes(4, 1000);
      var refused = cluster.node("a").put(object);
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(Rig.words(refused)).contains("1 of the 2 copies a write needs");
      eventually("nothing is left", () -> cluster.holders(object).isEmpty());
      assertThat(cluster.node("a").get("/o/" + address(object)).statusCode())
          .as("it is not known what the others have")
          .isEqualTo(503);
      cluster.start("b");
      cluster.start("c");
      eventually(
          "a hears them again", () -> status(cluster.node("a"), "/o/" + address(object)) == 404);
      assertThat(cluster.holders(object)).isEmpty();
    }
  }

  @Test
  void anObjectWhoseNodesJustFellSilentIsNotSaidToBeMissing() throws Exception {
    try (var cluster = new ClusterRig(folder, 3, TWO_COPIES)) {
      byte[] object = bytes(6, 1000);
      cluster.node("a").put(object);
      eventually("two copies", () -> cluster.holders(object).size() == 2);
      List<String> holders = List.copyOf(cluster.holders(object));
      String other =
          cluster.nodes.keySet().stream()
              .filter(name -> !holders.contains(name))
              .findFirst()
              .orElseThrow();
      holders.forEach(cluster::stop);
      // From the first request on, also while the other has not noticed yet.
      for (int i = 0; i < 5; i++) {
        assertThat(status(cluster.node(other), "/o/" + address(object))).isEqualTo(503);
      }
    }
  }

  @Test
  void aDeleteReachesAllOrIsRefused() throws Exception {
    try (var cluster = new ClusterRig(folder, 3, TWO_COPIES)) {
      byte[] object = bytes(5, 1000);
      cluster.node("a").put(object);
      String path = "/o/" + address(object);
      assertThat(cluster.node("c").send("DELETE", path, new byte[0]).statusCode()).isEqualTo(204);
      assertThat(cluster.holders(object)).isEmpty();
      for (Rig node : cluster.nodes.values()) {
        assertThat(node.get(path).statusCode()).isEqualTo(404);
      }
      cluster.node("a").put(object);
      cluster.stop("b");
      eventually("the delete is refused", () -> status(cluster.node("a"), "DELETE", path) == 503);
      assertThat(cluster.node("a").get(path).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void repairFillsANodeThatLostItsDiskAndStops() throws Exception {
    try (var cluster = new ClusterRig(folder, 3, TWO_COPIES)) {
      for (int i = 0; i < 40; i++) {
        assertThat(stored(cluster.node("a").put(bytes(100 + i, 3000 + i)).statusCode())).isTrue();
      }
      cluster.stop("b");
      Wipe.folder(folder.resolve("b"));
      cluster.start("b");
      for (int i = 0; i < 40; i++) {
        byte[] object = bytes(100 + i, 3000 + i);
        eventually("two copies again", () -> cluster.holders(object).size() == 2);
      }
      settle(cluster);
    }
  }

  @Test
  void aNodeThatIsGoneForLongerThanTheGraceIsPlannedAround() throws Exception {
    try (var cluster =
        new ClusterRig(
            folder,
            3,
            "durability.replication=2",
            "durability.plan_period=200ms",
            "cluster.grace=4s")) {
      for (int i = 0; i < 10; i++) {
        assertThat(stored(cluster.node("a").put(bytes(300 + i, 2000)).statusCode())).isTrue();
      }
      cluster.stop("c");
      eventually("one copy is counted while it is awaited", () -> fewestCopies(cluster) == 1);
      for (int i = 0; i < 10; i++) {
        byte[] object = bytes(300 + i, 2000);
        eventually(
            "two copies on the two that are left", () -> cluster.holders(object).size() == 2);
      }
      eventually("two copies are counted", () -> fewestCopies(cluster) == 2);
    }
  }

  /** As the nodes that are there say. */
  private static double fewestCopies(ClusterRig cluster) {
    return cluster.nodes.values().stream()
        .mapToDouble(node -> node.metricValue("rf_observed"))
        .min()
        .orElseThrow();
  }

  /** Waits until all nodes have found nothing to do in rounds that began after now. */
  static void settle(ClusterRig cluster) throws Exception {
    for (int again = 0; again < 2; again++) {
      Map<Rig, Long> rounds = new HashMap<>();
      cluster.nodes.values().forEach(rig -> rounds.put(rig, round(repair(rig))));
      eventually(
          () ->
              "repair settles: "
                  + cluster.nodes.values().stream().map(ClusterTest::repair).toList(),
          () ->
              cluster.nodes.values().stream()
                  .allMatch(
                      rig -> {
                        String words = repair(rig);
                        return round(words) > rounds.get(rig) + 2
                            && words.contains("\"missing\":0")
                            && words.contains("\"surplus\":0")
                            && words.contains("\"plans\":{\"all\":0")
                            && words.contains("\"away\":[]");
                      }));
    }
  }

  static long round(String repair) {
    return Long.parseLong(Rig.field(repair, "round"));
  }

  static String repair(Rig node) {
    try {
      return Rig.words(node.get("/repair"));
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** 200 too: repair may bring the second copy before the write itself does. */
  private static boolean stored(int status) {
    return status == 200 || status == 201;
  }

  static int status(Rig node, String path) {
    return status(node, "GET", path);
  }

  static int status(Rig node, String method, String path) {
    return status(node, method, path, new byte[0]);
  }

  static int status(Rig node, String method, String path, byte[] body) {
    try {
      return node.send(method, path, body).statusCode();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
