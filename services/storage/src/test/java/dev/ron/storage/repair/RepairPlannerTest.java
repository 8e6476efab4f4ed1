package dev.ron.storage.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.content.AmnesiaStore;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.log.Log;
import dev.ron.storage.StorageEvent;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.core.RepairPlan;
import dev.ron.storage.object.DamageTracker;
import dev.ron.storage.object.FallbackReader;
import dev.ron.storage.object.ObjectReaderStream;
import dev.ron.storage.object.Volume;
import dev.ron.storage.object.Volumes;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Planning with more to do than the queue holds. */
@Timeout(60)
final class RepairPlannerTest {
  private static final int CAPACITY = 256;

  private static final Duration PERIOD = Duration.ofMinutes(1);

  private final Scope scope = Scope.of("storage", World.real(Log.silent()));
  private final StorageMetrics metrics = StorageMetrics.in(scope);
  private final Broadcast<StorageEvent> events = Broadcast.of(scope, "events", 16);
  private final Volume first = volume("first");
  private final Volume second = volume("second");
  private final DamageTracker book = new DamageTracker(events, metrics);
  private final Volumes volumes = new Volumes(List.of(first, second), 2, 2, book);
  private final RepairQueue<RepairPlan> queue = new RepairQueue<>(scope, CAPACITY);
  private final AtomicReference<RepairPlanner.Round> last =
      new AtomicReference<>(RepairPlanner.Round.NONE);
  private final RepairPlanner planner =
      new RepairPlanner(
          volumes,
          queue::offer,
          new RepairThrottle(scope.time(), 1 << 30, Watch.of(scope, "shutdown", false), metrics),
          PERIOD,
          metrics,
          last,
          true);

  @Test
  void everyUrgentPlanIsFoundByOneRoundAndTheQueueIsNeverPassedBy() throws Exception {
    int objects = 5 * CAPACITY;
    for (int i = 0; i < objects; i++) {
      first.put(new ByteArrayInputStream(object(i)));
    }
    Instant now = scope.time().now();
    Set<Address> repaired = new HashSet<>();
    for (int step = 0; step < 100_000 && last.get().number() == 0; step++) {
      planner.run(now);
      assertThat(queue.plans()).isLessThanOrEqualTo(CAPACITY);
      if (step % 10 == 9) {
        repairSome(repaired, 100);
      }
    }
    repairSome(repaired, CAPACITY);
    assertThat(repaired).hasSize(objects);
    assertThat(second.store().space().objects()).isEqualTo(objects);
    assertThat(last.get().objects()).as("each counted once").isEqualTo(objects);
    assertThat(metrics.repairSkipped().labelValues("full").get()).isPositive();
  }

  @Test
  void damageThatIsHeardOfWhileTheQueueIsFullIsFoundByTheNextRound() throws Exception {
    first.put(new ByteArrayInputStream(object(1)));
    second.put(new ByteArrayInputStream(object(1)));
    Instant now = scope.time().now();
    planner.run(now);
    assertThat(last.get().number()).isEqualTo(1);
    for (int i = 0; i < CAPACITY; i++) {
      queue.offer(new RepairPlan.Copy(address(1000 + i), 1, "elsewhere", true));
    }
    book.found(address(1), first, "corrupt");
    planner.run(now);
    assertThat(metrics.repairSkipped().labelValues("full").get()).isPositive();
    for (int i = 0; i < CAPACITY; i++) {
      queue.done(queue.next());
    }
    for (int i = 0; i < 10; i++) {
      planner.run(now);
    }
    assertThat(queue.next())
        .isEqualTo(new RepairPlan.Heal(address(1), object(1).length, "first", true));
  }

  @Test
  void aDamagedCopyNeverCountsAsGoodHoweverManyThereAre() throws Exception {
    int objects = 5000;
    for (int i = 0; i < objects; i++) {
      first.put(new ByteArrayInputStream(object(i)));
      second.put(new ByteArrayInputStream(object(i)));
    }
    for (int i = 0; i < objects; i++) {
      book.found(address(i), first, "corrupt");
    }
    for (int i = 0; i < objects; i++) {
      assertThat(volumes.badHomes(address(i))).as("object %d", i).containsExactly("first");
      assertThat(volumes.readOrder(address(i))).last().isEqualTo(first);
    }
    assertThat(volumes.badCopies()).isEqualTo(objects);
  }

  /** What a worker would do, for so many plans. */
  private void repairSome(Set<Address> repaired, int most) throws Exception {
    for (int i = 0; i < most; i++) {
      RepairPlan plan = queue.next();
      if (plan == null) {
        return;
      }
      assertThat(repaired.add(plan.address())).as("planned once").isTrue();
      try (var from = new ObjectReaderStream(new FallbackReader(volumes, plan.address()))) {
        second.put(plan.address(), from);
      }
      queue.done(plan);
    }
  }

  private static Volume volume(String id) {
    return new Volume(id, id, new AmnesiaStore(1 << 20, 10_000, 1000), Optional::empty);
  }

  private static byte[] object(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  private static Address address(int number) {
    return new Address(Blake3.hash(object(number)));
  }
}
