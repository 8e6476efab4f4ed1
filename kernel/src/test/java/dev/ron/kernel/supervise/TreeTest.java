package dev.ron.kernel.supervise;

import static dev.ron.kernel.channel.Overflow.AWAIT;
import static dev.ron.kernel.channel.Overflow.REJECT_NEW;
import static dev.ron.kernel.supervise.Restart.ALWAYS;
import static dev.ron.kernel.supervise.Restart.ON_FAILURE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A tree on real threads; the same life cycle in virtual time is in the simulator's tests. */
@Timeout(20)
class TreeTest {
  private final Scope scope = Scope.of("test", World.real(Log.silent()));
  private final ConcurrentLinkedQueue<String> events = new ConcurrentLinkedQueue<>();

  @Test
  void everythingQueuedIsHandledBeforeTheTreeStops() throws Exception {
    var work = Channel.<Integer>bounded(scope, "work", 512, AWAIT);
    var handled = new AtomicInteger();
    Tree tree =
        Supervisor.named("test")
            .children("worker", 4, ALWAYS, () -> new Adder(work, handled))
            .start(scope);
    for (int i = 0; i < 10_000; i++) {
      work.send(1, Deadline.NEVER);
    }
    DrainReport report = tree.drain();
    assertThat(handled).hasValue(10_000);
    assertThat(report).isEqualTo(DrainReport.tasks(4, 0));
    assertThat(tree.phase()).isEqualTo(Phase.STOPPED);
  }

  @Test
  void membersStartFromTopToBottomAndEndFromBottomToTop() throws Exception {
    Tree tree =
        Supervisor.named("test")
            .child("first", ON_FAILURE, () -> noting("first"))
            .door("second", new NotingDoor("second"))
            .child("third", ON_FAILURE, () -> noting("third"))
            .start(scope);
    assertThat(scope.readiness().ready()).isTrue();
    tree.drain();
    assertThat(List.copyOf(events))
        .containsSubsequence(
            "open second",
            "stop second",
            "drain second",
            "finish third",
            "end second",
            "finish first",
            "release second");
    assertThat(scope.readiness().missing()).containsEntry("running", "stopped");
  }

  @Test
  void aTaskThatOutlivesTheDrainIsInterruptedAndCounted() throws Exception {
    var never = new Gate(scope.time());
    var started = new Gate(scope.time());
    Tree tree =
        Supervisor.named("test")
            .child(
                "stubborn",
                ALWAYS,
                () ->
                    now -> {
                      started.open();
                      never.await(Deadline.NEVER);
                      return Next.again();
                    })
            .drainWithin(Duration.ofMillis(50))
            .start(scope);
    started.await(Deadline.NEVER);
    assertThat(tree.drain()).isEqualTo(DrainReport.tasks(0, 1));
    assertThat(scope.counters().tasksAborted().labelValues("stubborn").get()).isEqualTo(1);
  }

  @Test
  void whatNobodyReceivedIsDroppedAndCounted() throws Exception {
    var work = Channel.<Integer>bounded(scope, "work", 8, REJECT_NEW);
    Tree tree = Supervisor.named("test").start(scope);
    work.trySend(1);
    work.trySend(2);
    assertThat(tree.drain().itemsDropped()).isEqualTo(2);
    assertThat(scope.counters().queueDropped().labelValues("work").get()).isEqualTo(2);
  }

  @Test
  void aDoorThatCannotOpenLeavesNothingRunning() {
    var door =
        new NotingDoor("door") {
          @Override
          public void open() throws IOException {
            throw new IOException("address in use");
          }
        };
    Supervisor supervisor =
        Supervisor.named("test").child("task", ON_FAILURE, () -> noting("task")).door("http", door);
    assertThatThrownBy(() -> supervisor.start(scope)).hasMessage("address in use");
    assertThat(List.copyOf(events)).contains("finish task");
  }

  /** Adds what it receives. */
  private record Adder(Channel<Integer> work, AtomicInteger sum) implements Task {
    @Override
    public Next run(Instant now) {
      Integer item = work.tryReceive();
      if (item == null) {
        return Next.await(work);
      }
      sum.addAndGet(item);
      return Next.again();
    }
  }

  private Task noting(String name) {
    return new Task() {
      @Override
      public Next run(Instant now) {
        return Next.at(Instant.MAX);
      }

      @Override
      public void finish(Instant now) {
        events.add("finish " + name);
      }
    };
  }

  private class NotingDoor implements Door {
    private final String name;

    NotingDoor(String name) {
      this.name = name;
    }

    @Override
    public void open() throws IOException {
      events.add("open " + name);
    }

    @Override
    public void stopIntake() {
      events.add("stop " + name);
    }

    @Override
    public Requests drain(Deadline deadline) throws InterruptedException {
      events.add("drain " + name);
      return Requests.NONE;
    }

    @Override
    public void end(Deadline deadline) {
      events.add("end " + name);
    }

    @Override
    public void release() {
      events.add("release " + name);
    }
  }
}
