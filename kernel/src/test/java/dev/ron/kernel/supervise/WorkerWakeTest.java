package dev.ron.kernel.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.channel.Bell;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Inbox;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.log.Log;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An item is not left lying behind a busy worker while another one is idle. */
@Timeout(20)
class WorkerWakeTest {
  private final Scope scope = Scope.of("test", World.real(Log.silent()));
  private final Channel<String> work = Channel.bounded(scope, "work", 8, Overflow.REJECT_NEW);
  private final Channel<String> other = Channel.bounded(scope, "other", 8, Overflow.REJECT_NEW);
  private final CountDownLatch attached = new CountDownLatch(1);
  private final CountDownLatch busy = new CountDownLatch(1);
  private final CountDownLatch taken = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private @Nullable Tree tree;

  @AfterEach
  void drain() throws Exception {
    release.countDown();
    if (tree != null) {
      tree.drain();
    }
  }

  @Test
  void aWorkerThatFoundItsItemByLookingIsNotRungForTheNext() throws Exception {
    // The first item comes when the worker has attached its bell and not yet armed it.
    Inbox between = new Between(() -> work.trySend("first"), () -> {});
    start(_ -> keep(work.tryReceive()) ? Next.again() : Next.await(work, between));
    assertThat(busy.await(5, TimeUnit.SECONDS)).isTrue();
    attached.countDown();
    awaitIdle();
    work.trySend("second");
    assertThat(taken.await(5, TimeUnit.SECONDS)).as("the idle worker took it").isTrue();
  }

  @Test
  void aWorkerThatIsRungForOneInboxAndServesAnotherPassesTheRingOn() throws Exception {
    // Both items come when it has armed its bell and looks for the last time.
    Inbox between =
        new Between(
            () -> {},
            () -> {
              attached.countDown();
              awaitIdle();
              work.trySend("for anybody");
              other.trySend("for the finder");
            });
    start(_ -> keep(other.tryReceive()) ? Next.again() : Next.await(between, other, work));
    assertThat(busy.await(5, TimeUnit.SECONDS)).isTrue();
    assertThat(taken.await(5, TimeUnit.SECONDS)).as("the idle worker took it").isTrue();
  }

  /** The finder, which is busy with the first thing it takes, and an idle worker that is second. */
  private void start(Task finder) throws Exception {
    tree =
        Supervisor.named("test")
            .child("finder", Restart.ALWAYS, () -> finder)
            .child("idle", Restart.ALWAYS, () -> _ -> idle())
            .start(scope);
  }

  private boolean keep(@Nullable String item) throws InterruptedException {
    if (item == null) {
      return false;
    }
    busy.countDown();
    release.await();
    return true;
  }

  private Next idle() throws InterruptedException {
    attached.await();
    if (work.tryReceive() != null) {
      taken.countDown();
    }
    return Next.await(work);
  }

  private void awaitIdle() {
    while (scope.registry().tasks().stream()
        .noneMatch(row -> row.path().equals("test/idle") && row.state().equals("waiting"))) {
      LockSupport.parkNanos(1_000_000);
    }
    // From its row to its bell; were this too short, the worker would see the item by itself.
    LockSupport.parkNanos(20_000_000);
  }

  /** Never ready; acts when a task attaches its bell, and when it looks for the first time then. */
  private static final class Between implements Inbox {
    private final Runnable onAttach;
    private final Runnable onLook;
    private boolean waitedFor;

    Between(Runnable onAttach, Runnable onLook) {
      this.onAttach = onAttach;
      this.onLook = onLook;
    }

    @Override
    public boolean ready() {
      if (waitedFor) {
        waitedFor = false;
        onLook.run();
      }
      return false;
    }

    @Override
    public boolean ended() {
      return false;
    }

    @Override
    public void attach(Bell bell) {
      waitedFor = true;
      onAttach.run();
    }

    @Override
    public void detach(Bell bell) {}
  }
}
