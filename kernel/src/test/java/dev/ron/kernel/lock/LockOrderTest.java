package dev.ron.kernel.lock;

import static dev.ron.kernel.channel.Overflow.AWAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.VirtualScope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.registry.LockRow;
import dev.ron.kernel.registry.Registry;
import dev.ron.kernel.time.Deadline;
import org.junit.jupiter.api.Test;

class LockOrderTest {
  private final Registry registry = new Registry("test");
  private final RankedLock low = new RankedLock(registry, "low", 1);
  private final RankedLock high = new RankedLock(registry, "high", 2);

  @Test
  void locksAreTakenInRisingRank() {
    assertThat(low.call(() -> high.call(() -> "both"))).isEqualTo("both");
    assertThatThrownBy(() -> high.run(() -> low.run(() -> {})))
        .hasMessage("lock order: low (rank 1) taken while holding high (rank 2)");
    low.run(() -> {});
  }

  @Test
  void aLockIsNotReentrant() {
    assertThatThrownBy(() -> low.run(() -> low.run(() -> {}))).isInstanceOf(AssertionError.class);
  }

  @Test
  @SuppressWarnings(
      "BlockingWhileLocked") // the compiler's check sees it too; this is about the other
  void waitingWhileHoldingALockIsCaught() {
    var channel = Channel.<Integer>bounded(VirtualScope.seeded(1).scope(), "work", 1, AWAIT);
    assertThatThrownBy(() -> low.run(() -> receive(channel)))
        .hasMessage("blocking in Channel.receive from work while holding lock low");
  }

  @Test
  void theRegistryListsLocksByRank() {
    assertThat(registry.locks()).containsExactly(new LockRow("low", 1), new LockRow("high", 2));
  }

  private static void receive(Channel<Integer> channel) {
    try {
      channel.receive(Deadline.NEVER);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
