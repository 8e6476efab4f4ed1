package dev.ron.storage.cluster.coded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.blake3.bao.Outboard;
import dev.ron.blake3.bao.OutboardBuilder;
import dev.ron.content.AmnesiaStore;
import dev.ron.erasure.ReedSolomon;
import dev.ron.erasure.ShardSet;
import dev.ron.erasure.StripeEncoder;
import dev.ron.erasure.StripeLayout;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.log.Log;
import dev.ron.storage.StorageEvent;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.cluster.StorageClusterMetrics;
import dev.ron.storage.cluster.core.CodedObject;
import dev.ron.storage.cluster.core.NodeRepairPlan;
import dev.ron.storage.cluster.node.ClusterNode;
import dev.ron.storage.cluster.node.LocalNode;
import dev.ron.storage.object.DamageTracker;
import dev.ron.storage.object.ObjectReader;
import dev.ron.storage.object.ObjectReaderStream;
import dev.ron.storage.object.Volume;
import dev.ron.storage.object.Volumes;
import dev.ron.storage.repair.RepairQueue;
import dev.ron.storage.repair.RepairTasks;
import dev.ron.storage.repair.RepairThrottle;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A 6 + 3 object, and every way to lose some of its nine shards. */
final class ShardFetchTest {
  private static final int DATA = 6;
  private static final int PARITY = 3;

  private final Scope scope = Scope.of("storage", World.real(Log.silent()));
  private final byte[] bytes = new byte[1_234_567];
  private final byte[][] shards = new byte[DATA + PARITY][];
  private final CodedObject object;
  private ClusterNode.Purpose purpose = ClusterNode.Purpose.READER;

  ShardFetchTest() throws IOException {
    new SplittableRandom(1).nextBytes(bytes);
    var parts = new ArrayList<ByteArrayOutputStream>();
    for (int i = 0; i < DATA + PARITY; i++) {
      parts.add(new ByteArrayOutputStream());
    }
    var encoder =
        new StripeEncoder(
            ReedSolomon.of(DATA, PARITY),
            (_, units) -> {
              for (int i = 0; i < units.length; i++) {
                parts.get(i).write(units[i]);
              }
            });
    encoder.write(bytes, 0, bytes.length);
    StripeLayout layout = encoder.finish();
    var addresses = new ArrayList<Address>();
    for (int i = 0; i < DATA + PARITY; i++) {
      shards[i] = parts.get(i).toByteArray();
      addresses.add(new Address(Blake3.hash(shards[i])));
    }
    Outboard tree = new OutboardBuilder().update(bytes).build();
    object = new CodedObject(new Address(tree.root()), layout, addresses, tree);
  }

  @Test
  void repairAsksForNoMoreThanItNeedsAndGetsTheSame() throws Exception {
    purpose = ClusterNode.Purpose.REPAIR;
    for (Set<Integer> lost : List.of(Set.of(0), Set.of(8), Set.of(1, 4, 7))) {
      ShardFetch fetch = fetch(lost);
      for (int shard : lost) {
        int units = (int) (object.layout().shardBytes() / StripeLayout.UNIT_BYTES);
        assertThat(fetch.pieces(ShardSet.of(shard), 0, units)[shard]).isEqualTo(shards[shard]);
      }
    }
  }

  @Test
  void everyLossOfThreeOfNineReadsCorrectly() throws Exception {
    int combinations = 0;
    for (int a = 0; a < 9; a++) {
      for (int b = a + 1; b < 9; b++) {
        for (int c = b + 1; c < 9; c++) {
          assertThat(read(Set.of(a, b, c), 0, bytes.length))
              .as("without %d, %d, %d", a, b, c)
              .isEqualTo(bytes);
          combinations++;
        }
      }
    }
    assertThat(combinations).isEqualTo(84);
  }

  @Test
  void aRangeIsReadWithoutTheRest() throws Exception {
    for (Set<Integer> lost : List.of(Set.<Integer>of(), Set.of(0, 1, 2), Set.of(2, 5, 8))) {
      for (int[] range : new int[][] {{0, 1}, {65_535, 65_537}, {400_000, 900_001}}) {
        assertThat(read(lost, range[0], range[1]))
            .isEqualTo(Arrays.copyOfRange(bytes, range[0], range[1]));
      }
    }
  }

  @Test
  void aFourthLossIsToldAndNothingWrongIsRead() throws Exception {
    var reading = new CodedReader(fetch(Set.of(0, 3, 6, 8)), 0, bytes.length);
    assertThat(reading.next())
        .isInstanceOfSatisfying(
            ObjectReader.Step.Lost.class,
            lost -> assertThat(lost.fault().detail()).contains("5 of the 6 shards"));
  }

  private byte[] read(Set<Integer> lost, long from, long to) throws Exception {
    try (var in = new ObjectReaderStream(new CodedReader(fetch(lost), from, to))) {
      return in.readAllBytes();
    }
  }

  /**
   * Nine nodes with a shard each; a lost one was never stored, was deleted, or its disk is gone.
   */
  private ShardFetch fetch(Set<Integer> lost) throws Exception {
    var places = new ArrayList<List<ClusterNode>>();
    for (int i = 0; i < DATA + PARITY; i++) {
      var volume = new Volume("memory", "memory", memory(), Optional::empty);
      if (!lost.contains(i) || i % 3 != 0) {
        volume.put(object.shards().get(i), new ByteArrayInputStream(shards[i]));
      }
      if (lost.contains(i) && i % 3 == 1) {
        volume.store().delete(object.shards().get(i));
      } else if (lost.contains(i) && i % 3 == 2) {
        volume.condition(new Volume.Condition(Volume.State.GONE, "the disk is gone"));
      }
      places.add(List.of(node(volume)));
    }
    return new ShardFetch(object, places, scope, Duration.ofSeconds(1), purpose);
  }

  private static AmnesiaStore memory() {
    return new AmnesiaStore(1 << 20, 16, 1 << 20);
  }

  /** This storage's own node, over one volume. */
  private static LocalNode node(Volume volume) {
    var own = Scope.of("storage", World.real(Log.silent()));
    var metrics = StorageMetrics.in(own);
    Broadcast<StorageEvent> events = Broadcast.of(own, "events", 16);
    var volumes = new Volumes(List.of(volume), 1, 1, new DamageTracker(events, metrics));
    Watch<Boolean> shutdown = Watch.of(own, "shutdown", false);
    var upkeep =
        new RepairTasks<NodeRepairPlan>(
            volumes,
            new RepairThrottle(own.time(), 1 << 20, shutdown, metrics),
            new RepairQueue<>(own, 256),
            shutdown,
            own.time(),
            metrics);
    return new LocalNode("n", volumes, upkeep, StorageClusterMetrics.in(own), null, own.time());
  }
}
