package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.SeedRow;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes and weights change without a restart. */
@Timeout(120)
final class MembersTest {
  private static final int OBJECTS = 20;

  @TempDir private Path folder;

  @Test
  @SeedRow({"S15", "S22", "S29"})
  void aNodeJoinsWithoutARestart() throws Exception {
    try (var cluster = three()) {
      cluster.join("d");
      cluster.reload();
      cluster.awaitAll();
      ClusterTest.settle(cluster);
      int onNew = 0;
      for (int i = 0; i < OBJECTS; i++) {
        var holders = cluster.holders(object(i));
        assertThat(holders).as("object %d", i).hasSize(2);
        onNew += holders.contains("d") ? 1 : 0;
      }
      assertThat(onNew).as("the new node has its share").isPositive();
    }
  }

  @Test
  void whileOneNodeDoesNotKnowTheNewOneNoCopyIsGivenUpForIt() throws Exception {
    try (var cluster = three()) {
      cluster.join("d");
      cluster.reloadOn("a");
      cluster.reloadOn("b");
      assertThat(cluster.node("d").put(object(OBJECTS)).statusCode()).isEqualTo(201);
      tenRounds(cluster);
      boolean moved = false;
      for (int i = 0; i <= OBJECTS; i++) {
        var holders = cluster.holders(object(i));
        moved |= holders.remove("d");
        assertThat(holders).as("holders of object %d that c knows", i).hasSizeGreaterThan(1);
      }
      assertThat(moved).as("the new node has its share").isTrue();
      cluster.reload();
      ClusterTest.settle(cluster);
      for (int i = 0; i <= OBJECTS; i++) {
        assertThat(cluster.holders(object(i))).as("object %d", i).hasSize(2);
      }
    }
  }

  @Test
  @SeedRow("S29")
  void aNodeOfNoWeightGivesEverythingAwayWithoutARestart() throws Exception {
    try (var cluster = three()) {
      cluster.reload("cluster.weights=a=0");
      ClusterTest.settle(cluster);
      for (int i = 0; i < OBJECTS; i++) {
        assertThat(cluster.holders(object(i))).hasSize(2).doesNotContain("a");
        assertThat(cluster.node("a").get("/o/" + address(object(i))).body()).isEqualTo(object(i));
      }
    }
  }

  /** Enough to give up what may be given up, once the new node has fetched what is its own. */
  private static void tenRounds(ClusterRig cluster) throws InterruptedException {
    Rig.eventually(
        "the new node misses nothing",
        () -> ClusterTest.repair(cluster.node("d")).contains("\"missing\":0"));
    for (Rig node : cluster.nodes.values()) {
      long last = ClusterTest.round(ClusterTest.repair(node)) + 10;
      Rig.eventually("rounds", () -> ClusterTest.round(ClusterTest.repair(node)) >= last);
    }
  }

  private ClusterRig three() throws Exception {
    var cluster =
        new ClusterRig(
            folder,
            3,
            "durability.replication=2",
            "durability.plan_period=200ms",
            "cluster.grace=1h");
    for (int i = 0; i < OBJECTS; i++) {
      assertThat(cluster.node("a").put(object(i)).statusCode()).isBetween(200, 201);
    }
    return cluster;
  }

  private static byte[] object(int number) {
    return bytes(200 + number, 2000 + number);
  }
}
