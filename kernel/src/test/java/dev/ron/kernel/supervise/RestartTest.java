package dev.ron.kernel.supervise;

import static dev.ron.kernel.channel.Overflow.REJECT_NEW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.VirtualScope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.registry.TaskRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The restart policy, to the millisecond, in virtual time. */
class RestartTest {
  private final VirtualScope virtual = VirtualScope.seeded(7);
  private final List<Instant> starts = new ArrayList<>();

  @Test
  void aFailedTaskRestsFrom100To400MillisecondsThenTwiceThatUpTo5Seconds() throws Exception {
    SteppedTree tree = start(Restart.ALWAYS, () -> failing());
    tree.advance(Duration.ofSeconds(59));
    List<Long> rests = new ArrayList<>();
    for (int i = 1; i < starts.size(); i++) {
      rests.add(Duration.between(starts.get(i - 1), starts.get(i)).toMillis());
    }
    for (int n = 0; n < rests.size(); n++) {
      long factor = 1L << Math.min(n, 20);
      assertThat(rests.get(n))
          .as("rest %d of %s", n, rests)
          .isBetween(Math.min(5000, 100 * factor), Math.min(5000, 400 * factor));
    }
    assertThat(rests).as("reached the cap").contains(5000L);
  }

  @Test
  void moreThanFiveRestartsInAMinuteMakeTheServiceUnready() throws Exception {
    SteppedTree tree = start(Restart.ALWAYS, () -> failing());
    tree.advance(Duration.ofSeconds(40));
    assertThat(virtual.scope().readiness().missing().get("tasks"))
        .isEqualTo("test/task failed with IllegalStateException, more than 5 times in a minute");
    assertThat(virtual.scope().counters().serviceRestarts().labelValues("task").get())
        .isEqualTo(starts.size());
  }

  @Test
  void anEscalatedServiceIsReadyAgainAMinuteAfterItsFailures() throws Exception {
    Instant healed = virtual.time().now().plusSeconds(30);
    SteppedTree tree =
        start(Restart.ALWAYS, () -> virtual.time().now().isBefore(healed) ? failing() : idle());
    tree.advance(Duration.ofSeconds(40));
    assertThat(virtual.scope().readiness().ready()).isFalse();
    tree.advance(Duration.ofSeconds(55));
    assertThat(virtual.scope().readiness().missing()).isEmpty();
  }

  @Test
  void oneFailureMakesTheServiceUnreadyUntilTheTaskRunsAgain() throws Exception {
    var work = Channel.<String>bounded(virtual.scope(), "work", 8, REJECT_NEW);
    SteppedTree tree = start(Restart.ALWAYS, () -> poisonable(work));
    tree.settle();
    assertThat(virtual.scope().readiness().ready()).isTrue();
    work.trySend("poison");
    tree.settle();
    assertThat(virtual.scope().readiness().missing().get("tasks"))
        .isEqualTo("test/task failed with IllegalStateException and is being restarted");
    tree.advance(Duration.ofMillis(400));
    assertThat(virtual.scope().readiness().ready()).isTrue();
    assertThat(row().restarts()).isEqualTo(1);
  }

  @Test
  void aTaskThatIsNeverRestartedLeavesTheServiceUnready() throws Exception {
    start(Restart.NEVER, () -> failing()).advance(Duration.ofHours(1));
    assertThat(starts).hasSize(1);
    assertThat(row().state()).isEqualTo("failed");
    assertThat(virtual.scope().readiness().missing().get("tasks"))
        .isEqualTo("test/task failed with IllegalStateException and is not started again");
  }

  @Test
  void workWithAnEndIsNotRestartedWhenItIsDone() throws Exception {
    start(Restart.ON_FAILURE, () -> now -> noted(Next.done())).advance(Duration.ofHours(1));
    assertThat(starts).hasSize(1);
    assertThat(row().state()).isEqualTo("ended");
  }

  @Test
  void aLoopThatShouldNotEndIsRestartedWhenItSaysItIsDone() throws Exception {
    start(Restart.ALWAYS, () -> now -> noted(Next.done())).advance(Duration.ofSeconds(1));
    assertThat(starts).hasSizeGreaterThan(1);
  }

  @Test
  void aTaskEndsWhenItsInboxHas() throws Exception {
    var work = Channel.<String>bounded(virtual.scope(), "work", 8, REJECT_NEW);
    SteppedTree tree = start(Restart.ALWAYS, () -> poisonable(work));
    work.trySend("last");
    work.close();
    tree.settle();
    assertThat(row().state()).isEqualTo("ended");
    assertThat(work.ended()).isTrue();
  }

  private SteppedTree start(Restart restart, java.util.function.Supplier<Task> make)
      throws Exception {
    return SteppedTree.start(
        Supervisor.named("test").child("task", restart, make),
        virtual.scope(),
        virtual.time(),
        virtual.random());
  }

  private TaskRow row() {
    return virtual.scope().registry().tasks().getFirst();
  }

  private Next noted(Next next) {
    starts.add(virtual.time().now());
    return next;
  }

  private Task failing() {
    return now -> {
      starts.add(now);
      throw new IllegalStateException("planted");
    };
  }

  private static Task idle() {
    return now -> Next.at(Instant.MAX);
  }

  private static Task poisonable(Channel<String> work) {
    return now -> {
      String item = work.tryReceive();
      if (item == null) {
        return Next.await(work);
      }
      if (item.equals("poison")) {
        throw new IllegalStateException("planted");
      }
      return Next.again();
    };
  }
}
