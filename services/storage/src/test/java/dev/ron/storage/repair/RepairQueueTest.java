package dev.ron.storage.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Next;
import dev.ron.storage.core.QueuedRepair;
import dev.ron.storage.core.QueuedRepair.Work;
import dev.ron.storage.repair.RepairQueue.Offer;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The queue when it is full, and whose turn it is. */
final class RepairQueueTest {
  private static final int CAPACITY = 256;

  /** A plan of any kind. */
  private record Plan(Address address, String home, boolean urgent, Work work)
      implements QueuedRepair {
    @Override
    public long sizeBytes() {
      return 1;
    }
  }

  private final Scope scope = Scope.of("storage", World.real(Log.silent()));
  private final RepairQueue<Plan> queue = new RepairQueue<>(scope, CAPACITY);

  @Test
  void ordinaryPlansAreRefusedWhenItIsFullAndUrgentOnesPassThemBy() {
    for (int i = 0; i < CAPACITY; i++) {
      assertThat(queue.offer(copy(i, false))).isEqualTo(Offer.TAKEN);
    }
    assertThat(queue.offer(copy(1000, false))).isEqualTo(Offer.FULL);
    assertThat(queue.offer(rebuild(1000, false))).as("all ordinary lanes").isEqualTo(Offer.FULL);
    assertThat(queue.offer(copy(0, false))).isEqualTo(Offer.KNOWN);
    for (int i = 0; i < CAPACITY; i++) {
      assertThat(queue.offer(copy(2000 + i, true))).isEqualTo(Offer.TAKEN);
    }
    assertThat(queue.offer(copy(3000, true)))
        .as("urgent ones have a bound too")
        .isEqualTo(Offer.FULL);
    assertThat(queue.plans()).isEqualTo(2 * CAPACITY);
  }

  @Test
  void aRefusedPlanIsTakenWhenThereIsRoom() {
    for (int i = 0; i < CAPACITY; i++) {
      queue.offer(copy(i, true));
    }
    assertThat(queue.offer(copy(1000, true))).isEqualTo(Offer.FULL);
    queue.done(next());
    assertThat(queue.offer(copy(1000, true))).isEqualTo(Offer.TAKEN);
  }

  @Test
  void urgentBeforeOrdinaryAndCopiesBeforeShards() {
    List<Plan> offered =
        List.of(
            new Plan(address(1), "a", false, Work.REMOVAL),
            rebuild(2, false),
            copy(3, false),
            rebuild(4, true),
            new Plan(address(5), "a", true, Work.COPY));
    offered.forEach(queue::offer);
    var order = new ArrayList<Plan>();
    for (int i = 0; i < offered.size(); i++) {
      order.add(next());
      queue.done(order.getLast());
    }
    assertThat(order)
        .containsExactly(
            offered.get(4), offered.get(3), offered.get(2), offered.get(0), offered.get(1));
  }

  @Test
  void noShardIsRebuiltWhileACopyIsMade() {
    queue.offer(copy(1, true));
    queue.offer(rebuild(2, true));
    queue.offer(rebuild(3, false));
    Plan copy = next();
    assertThat(queue.next()).isNull();
    Instant now = scope.time().now();
    assertThat(queue.await(now))
        .as("looks again, and does not wait for shards that are there")
        .isInstanceOfSatisfying(
            Next.Await.class,
            await -> {
              assertThat(await.inboxes()).hasSize(2);
              assertThat(await.noLaterThan()).isBefore(now.plusSeconds(1));
            });
    queue.done(copy);
    assertThat(next()).isEqualTo(rebuild(2, true));
    assertThat(next()).isEqualTo(rebuild(3, false));
  }

  private Plan next() {
    Plan plan = queue.next();
    assertThat(plan).isNotNull();
    return plan;
  }

  private static Plan copy(int number, boolean urgent) {
    return new Plan(address(number), "home", urgent, Work.COPY);
  }

  private static Plan rebuild(int number, boolean urgent) {
    return new Plan(address(number), "home#0", urgent, Work.SHARD);
  }

  private static Address address(int number) {
    return new Address(Blake3.hash(ByteBuffer.allocate(4).putInt(number).array()));
  }
}
