package dev.ron.storage.cluster.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.cluster.core.NodeRepairPlan;
import dev.ron.storage.repair.RepairQueue;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** More urgent plans than the queue holds. */
final class RepairBacklogTest {
  private static final int CAPACITY = 256;

  private final Scope scope = Scope.of("storage", World.real(Log.silent()));
  private final StorageMetrics metrics = StorageMetrics.in(scope);
  private final RepairQueue<NodeRepairPlan> queue = new RepairQueue<>(scope, CAPACITY);

  @Test
  void itIsBoundedAndCountsWhatItLeaves() {
    var backlog = new RepairBacklog(queue, metrics, 10);
    for (int i = 0; i < CAPACITY + 10; i++) {
      assertThat(backlog.offer(copy(i, true))).isTrue();
    }
    assertThat(backlog.size()).isEqualTo(10);
    assertThat(backlog.offer(copy(1000, true))).isFalse();
    assertThat(skipped()).isEqualTo(1);
    assertThat(backlog.offer(rebuild(1001, true))).as("a lane of its own").isTrue();
    for (int i = 0; i < CAPACITY - 1; i++) {
      backlog.offer(copy(5000 + i, false));
    }
    assertThat(skipped()).as("ordinary ones do not wait").isEqualTo(CAPACITY);
    assertThat(backlog.size()).isEqualTo(10);
    assertThat(backlog.send()).isFalse();
    for (int i = 0; i < 10; i++) {
      queue.done(next());
    }
    assertThat(backlog.send()).isTrue();
    assertThat(queue.urgentDepth()).isEqualTo(CAPACITY + 1);
  }

  private double skipped() {
    return metrics.repairSkipped().labelValues("full").get();
  }

  private NodeRepairPlan next() {
    NodeRepairPlan plan = queue.next();
    assertThat(plan).isNotNull();
    return plan;
  }

  private static NodeRepairPlan copy(int number, boolean urgent) {
    return new NodeRepairPlan.Fetch(address(number), 1, "home", urgent);
  }

  private static NodeRepairPlan rebuild(int number, boolean urgent) {
    return new NodeRepairPlan.Rebuild(address(number), 0, 1, "home#0", urgent);
  }

  private static Address address(int number) {
    return new Address(Blake3.hash(ByteBuffer.allocate(4).putInt(number).array()));
  }
}
