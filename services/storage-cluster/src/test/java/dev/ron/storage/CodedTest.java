package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Objects in shards over several nodes. */
@Timeout(120)
final class CodedTest {
  private static final String[] CODED = {
    "durability.replication=2",
    "durability.plan_period=200ms",
    "durability.ec_min_bytes=256KiB",
    "cluster.grace=1h"
  };

  @TempDir private Path folder;

  @Test
  void aLargeObjectIsReadFromAllNodesAndWithoutOneOfThree() throws Exception {
    try (var cluster = new ClusterRig(folder, 3, CODED)) {
      byte[] object = bytes(1, 1 << 20);
      byte[] larger = bytes(2, 3_333_333);
      assertThat(cluster.node("a").put(object).statusCode()).isEqualTo(201);
      assertThat(cluster.node("b").put(object).statusCode()).isEqualTo(201);
      var client = new KillClient(cluster.node("b").client, cluster.node("b").port());
      assertThat(client.upload(larger)).isTrue();
      String path = "/o/" + address(larger);
      for (Rig node : cluster.nodes.values()) {
        assertThat(node.get("/o/" + address(object)).body()).isEqualTo(object);
        assertThat(node.get(path).body()).isEqualTo(larger);
        assertThat(node.get(path, "Range", "bytes=70000-900000").body())
            .isEqualTo(Arrays.copyOfRange(larger, 70_000, 900_001));
      }
      cluster.stop("c");
      for (Rig node : cluster.nodes.values()) {
        assertThat(node.get("/o/" + address(object)).body()).isEqualTo(object);
        assertThat(node.get(path).body()).isEqualTo(larger);
      }
      Wipe.folder(folder.resolve("c"));
      cluster.start("c");
      ClusterTest.settle(cluster);
      cluster.stop("a");
      assertThat(cluster.node("c").get(path).body()).isEqualTo(larger);
      assertThat(cluster.node("b").get("/o/" + address(object)).body()).isEqualTo(object);
    }
  }

  /**
   * As half a delete leaves it, when the object is stored again while too few nodes take shards.
   */
  @Test
  void shardsThatAreTooFewHideNoCopy() throws Exception {
    String[] settings = CODED.clone();
    settings[1] = "durability.plan_period=1h";
    try (var cluster = new ClusterRig(folder, 3, settings)) {
      byte[] object = bytes(4, 1 << 20);
      String address = address(object).toString();
      assertThat(cluster.node("a").put(object).statusCode()).isEqualTo(201);
      for (String name : List.of("a", "c")) {
        Rig.eventually(
            "its shards are gone",
            () -> ClusterTest.status(cluster.node(name), "DELETE", "/peer/o/" + address) == 404);
      }
      assertThat(cluster.node("b").get("/o/" + address).statusCode()).isEqualTo(503);
      String copy = "/peer/o/" + address + "?write=x";
      assertThat(ClusterTest.status(cluster.node("a"), "PUT", copy, object)).isEqualTo(200);
      for (Rig node : cluster.nodes.values()) {
        assertThat(node.get("/o/" + address).body()).isEqualTo(object);
        assertThat(node.get("/o/" + address, "Range", "bytes=70000-900000").body())
            .isEqualTo(Arrays.copyOfRange(object, 70_000, 900_001));
      }
    }
  }

  @Test
  void aDeleteTakesShardsAndRecords() throws Exception {
    try (var cluster = new ClusterRig(folder, 3, CODED)) {
      byte[] object = bytes(3, 1 << 20);
      String path = "/o/" + address(object);
      Rig.eventually(
          "stored, on a machine that may be too busy for the first try",
          () -> ClusterTest.status(cluster.node("a"), "PUT", path, object) < 300);
      // The write was answered before its last shard lay; repair may be about to make that one.
      Rig.eventually(
          "a delete, asked again while a node is busy with the object",
          // One that could not say it was done everywhere may have done it: then it is not there.
          () -> List.of(204, 404).contains(ClusterTest.status(cluster.node("b"), "DELETE", path)));
      for (Rig node : cluster.nodes.values()) {
        assertThat(node.get(path).statusCode()).isEqualTo(404);
      }
    }
  }
}
