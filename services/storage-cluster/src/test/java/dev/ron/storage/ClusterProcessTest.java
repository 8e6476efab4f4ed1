package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes as real processes, killed, wiped, damaged and parted while everything that was put is read
 * from all of them.
 */
final class ClusterProcessTest {
  /** So little that what a lost disk held takes seconds, and no second may have more. */
  private static final int RATE = 3 << 20;

  private static final List<String> SETTINGS =
      List.of(
          "durability.replication=2",
          "durability.ec_min_bytes=512KiB",
          "durability.repair_rate=3MiB/s",
          "cluster.grace=1h");

  @TempDir private Path folder;
  private final long seed = Long.getLong("ron.seed", 11);
  private long nextId = seed << 32;

  /** Nine nodes that compare themselves five times a second do nothing else on two cores. */
  private static List<String> settings(String planPeriod) {
    var all = new ArrayList<>(SETTINGS);
    all.add("durability.plan_period=" + planPeriod);
    return all;
  }

  @Test
  @Tag("long")
  @Timeout(240)
  void threeNodesKeepEverythingThroughAKillAWipeAFlipAndAPartition() throws Exception {
    List<String> names = List.of("a", "b", "c");
    try (var nodes = new ClusterProcesses(folder, names, settings("200ms"))) {
      nodes.startAll(names, names);
      nodes.awaitAllHere();
      try (var watchers = new Watchers(nodes, RATE, seed)) {
        names.forEach(watchers::watchBudget);
        putSome(nodes, watchers, names, 10);
        // A write that was answered survives the loss of a node at once.
        nodes.kill9("c");
        readAll(nodes, watchers);
        putSome(nodes, watchers, List.of("a", "b"), 3);
        Wipe.folder(nodes.folder("c"));
        nodes.startAll(List.of("c"), names);
        nodes.awaitAllHere();
        settleAtFullRate(nodes, watchers);
        flip(nodes, watchers, "a");
        readAll(nodes, watchers);
        nodes.settle();
        nodes.part("a", "b");
        readAll(nodes, watchers);
        nodes.heal("a", "b");
        nodes.awaitAllHere();
        nodes.settle();
        readAll(nodes, watchers);
        assertThat(watchers.contradictions).as("seed %d", seed).isEmpty();
        assertThat(watchers.reads.get()).isGreaterThan(50);
        assertThat(watchers.samples.get()).isGreaterThan(50);
        stopsWhenDone(nodes);
      }
    }
  }

  @Test
  @Tag("long")
  @Timeout(900)
  void nineNodesKeepEverythingWhileNodesAndWeightsChange() throws Exception {
    List<String> nine = List.of("a", "b", "c", "d", "e", "f", "g", "h", "i");
    List<String> ten = new ArrayList<>(nine);
    ten.add("j");
    try (var nodes = new ClusterProcesses(folder, ten, settings("1s"))) {
      nodes.startAll(nine, nine);
      nodes.awaitAllHere();
      try (var watchers = new Watchers(nodes, RATE, seed)) {
        nine.forEach(watchers::watchBudget);
        putSome(nodes, watchers, nine, 30);
        nodes.kill9("c");
        readAll(nodes, watchers);
        Wipe.folder(nodes.folder("c"));
        nodes.startAll(List.of("c"), nine);
        nodes.awaitAllHere();
        settleAtFullRate(nodes, watchers);
        flip(nodes, watchers, "a");
        readAll(nodes, watchers);
        nodes.settle();
        nodes.part("a", "b");
        nodes.part("e", "f");
        readAll(nodes, watchers);
        putSome(nodes, watchers, List.of("g", "h"), 5);
        nodes.heal("a", "b");
        nodes.heal("e", "f");
        nodes.awaitAllHere();
        nodes.settle();
        // An empty node joins and a weight changes: each node learns of it when it starts again.
        nodes.startAll(List.of("j"), ten, "cluster.weights=b=3");
        for (String name : nine) {
          nodes.kill9(name);
          nodes.startAll(List.of(name), ten, "cluster.weights=b=3");
          nodes.awaitAllHere();
        }
        nodes.settle();
        readAll(nodes, watchers);
        assertThat(watchers.contradictions).as("seed %d", seed).isEmpty();
        assertThat(Long.parseLong(Rig.field(nodes.repair("j"), "objects")))
            .as("the new node has its share")
            .isPositive();
        stopsWhenDone(nodes);
      }
    }
  }

  /**
   * There are no reads meanwhile, so that repair has all of its budget: it uses most of it in some
   * second and, as the watchers see, in none more.
   */
  private static void settleAtFullRate(ClusterProcesses nodes, Watchers watchers) throws Exception {
    watchers.rest(true);
    nodes.settle();
    watchers.rest(false);
    assertThat(watchers.mostInASecond()).as("the budget binds").isGreaterThan(RATE / 2);
  }

  private void putSome(ClusterProcesses nodes, Watchers watchers, List<String> via, int count)
      throws Exception {
    var random = new SplittableRandom(nextId);
    for (int i = 0; i < count; i++) {
      long id = nextId++;
      int size = i % 5 == 0 ? 600_000 + random.nextInt(400_000) : 100 + random.nextInt(150_000);
      byte[] object = bytes(id, size);
      var answer = nodes.send(via.get(i % via.size()), "PUT", "/o/" + address(object), object);
      assertThat(answer.statusCode())
          .as("put of %d bytes: %s", size, Rig.words(answer))
          .isBetween(200, 201);
      watchers.acknowledged(id, size);
    }
  }

  private static void readAll(ClusterProcesses nodes, Watchers watchers) throws Exception {
    for (var each : watchers.put().entrySet()) {
      byte[] object = bytes(each.getKey(), each.getValue());
      for (String node : nodes.running()) {
        var answer = nodes.read(node, object);
        assertThat(answer.statusCode())
            .as("object %d on %s: %s", each.getKey(), node, head(Rig.words(answer)))
            .isEqualTo(200);
        assertThat(answer.body()).isEqualTo(object);
      }
    }
  }

  private static String head(String words) {
    return words.substring(0, Math.min(200, words.length()));
  }

  /** Damages copies and shards of one node behind its back. */
  private static void flip(ClusterProcesses nodes, Watchers watchers, String node)
      throws Exception {
    int flipped = 0;
    for (var each : watchers.put().entrySet()) {
      byte[] object = bytes(each.getKey(), each.getValue());
      boolean hit =
          Damager.flipInside(nodes.folder(node), object, object.length / 2)
              || (object.length > 500_000 && Damager.flipInShard(nodes.folder(node), object, 0));
      flipped += hit ? 1 : 0;
      if (flipped == 3) {
        return;
      }
    }
    assertThat(flipped).as("something was there to be damaged").isPositive();
  }

  private static void stopsWhenDone(ClusterProcesses nodes) throws Exception {
    var before = new TreeMap<String, Double>();
    var rounds = new TreeMap<String, Long>();
    for (String node : nodes.running()) {
      before.put(node, nodes.metric(node, "repair_bytes_total"));
      rounds.put(node, ClusterTest.round(nodes.repair(node)));
    }
    for (String node : nodes.running()) {
      Rig.eventually(
          "two more rounds", () -> ClusterTest.round(nodes.repair(node)) > rounds.get(node) + 2);
      assertThat(nodes.metric(node, "repair_bytes_total")).isEqualTo(before.get(node));
    }
  }
}
