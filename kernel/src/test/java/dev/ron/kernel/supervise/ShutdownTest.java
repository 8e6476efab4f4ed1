package dev.ron.kernel.supervise;

import static dev.ron.kernel.channel.Overflow.REJECT_NEW;
import static dev.ron.kernel.supervise.Restart.ALWAYS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever requests, doors and other tasks do, a task comes to its end and is counted once. */
@Timeout(60)
class ShutdownTest {
  private static final Duration SHORT = Duration.ofMillis(50);

  private final Scope scope = Scope.of("test", World.real(Log.silent()));
  private final ConcurrentLinkedQueue<String> finished = new ConcurrentLinkedQueue<>();
  private final Gate never = new Gate(scope.time());

  @Test
  void requestsThatUseUpTheirTimeLeaveTheTasksTheirs() throws Exception {
    Tree tree =
        Supervisor.named("test")
            .child("journal", ALWAYS, () -> idle("journal"))
            .child("worker", ALWAYS, () -> idle("worker"))
            .door("http", new HangingDoor())
            .drainWithin(SHORT)
            .start(scope);
    assertThat(tree.drain()).isEqualTo(new DrainReport(2, 0, 0, 1, 0, 0));
    assertThat(finished).containsExactly("worker", "journal");
  }

  @Test
  void aDoorThatThrowsOrNeverReturnsKeepsNoTaskFromItsEnd() throws Exception {
    Tree tree =
        Supervisor.named("test")
            .child("journal", ALWAYS, () -> idle("journal"))
            .door(
                "stuck",
                new HangingDoor() {
                  @Override
                  public Requests drain(Deadline deadline) throws InterruptedException {
                    never.await(Deadline.NEVER);
                    return Requests.NONE;
                  }
                })
            .door(
                "broken",
                new HangingDoor() {
                  @Override
                  public Requests drain(Deadline deadline) {
                    throw new IllegalStateException("planted");
                  }
                })
            .drainWithin(SHORT)
            .start(scope);
    assertThat(tree.drain()).isEqualTo(DrainReport.tasks(1, 0));
    assertThat(finished).containsExactly("journal");
  }

  @Test
  void aStuckTaskIsAbortedFinishedAndCountedAndTheIdleOnesAboveAreNot() throws Exception {
    var work = Channel.<Integer>bounded(scope, "work", 8, REJECT_NEW);
    work.trySend(1);
    work.trySend(2);
    var taken = new Gate(scope.time());
    Tree tree =
        Supervisor.named("test")
            .child("journal", ALWAYS, () -> idle("journal"))
            .child("stuck", ALWAYS, () -> stuckWith(work, taken))
            .drainWithin(SHORT)
            .start(scope);
    taken.await(Deadline.NEVER);
    DrainReport report = tree.drain();
    assertThat(report)
        .as("one in hand, one in the queue")
        .isEqualTo(new DrainReport(1, 1, 0, 0, 0, 2));
    assertThat(finished).containsExactly("stuck", "journal");
    assertThat(scope.counters().queueDropped().labelValues("work").get()).isEqualTo(2);
    assertThat(scope.counters().tasksAborted().labelValues("stuck").get()).isEqualTo(1);
    assertThat(scope.counters().tasksAborted().labelValues("journal").get()).isZero();
  }

  @Test
  void aTaskThatRestsAfterAFailureFinishesAllTheSame() throws Exception {
    var failed = new Gate(scope.time());
    var made = new AtomicInteger();
    Tree tree =
        Supervisor.named("test")
            .child(
                "journal",
                ALWAYS,
                () -> {
                  if (made.getAndIncrement() > 0) {
                    return idle("journal");
                  }
                  return _ -> {
                    failed.open();
                    throw new IllegalStateException("planted");
                  };
                })
            .start(scope);
    failed.await(Deadline.NEVER);
    assertThat(tree.drain()).isEqualTo(DrainReport.tasks(1, 0));
    assertThat(finished).containsExactly("journal");
  }

  @Test
  void aTaskThatFailsToTheEndIsCountedAsAborted() throws Exception {
    Tree tree =
        Supervisor.named("test")
            .child(
                "broken",
                ALWAYS,
                () ->
                    _ -> {
                      throw new IllegalStateException("planted");
                    })
            .child("idle", ALWAYS, () -> idle("idle"))
            .start(scope);
    assertThat(tree.drain()).isEqualTo(DrainReport.tasks(1, 1));
  }

  @Test
  void branchesDrainAtTheSameTime() throws Exception {
    var met = new Gate(scope.time());
    var other = new Gate(scope.time());
    Supervisor all = Supervisor.named("node");
    for (Gate[] pair : new Gate[][] {{met, other}, {other, met}}) {
      var own = Scope.of("branch", World.real(Log.silent()));
      all =
          all.branch(
              Supervisor.named("branch")
                  .child("task", ALWAYS, () -> meeting(pair[0], pair[1]))
                  .drainWithin(Duration.ofSeconds(30)),
              own);
    }
    assertThat(all.start(scope).drain()).isEqualTo(DrainReport.tasks(2, 0));
  }

  @Test
  void aWaitHearsTheDrainAndIsCounted() throws Exception {
    var waits = new Gate(scope.time());
    var heard = new Gate(scope.time());
    Tree tree = Supervisor.named("test").start(scope);
    Thread.startVirtualThread(
        () -> {
          try (var _ = scope.draining().subscribe(heard::open)) {
            waits.open();
            heard.await(Deadline.NEVER);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    waits.await(Deadline.NEVER);
    assertThat(tree.drain().waitsTold()).isEqualTo(1);
    assertThat(heard.isOpen()).isTrue();
    assertThat(scope.draining().await(Deadline.NEVER)).as("one that comes late").isTrue();
  }

  @Test
  void aSecondSignalCutsRequestsAndLetsTasksFinish() throws Exception {
    var asked = new Gate(scope.time());
    var door =
        new HangingDoor() {
          @Override
          public Requests drain(Deadline deadline) throws InterruptedException {
            asked.open();
            return super.drain(deadline);
          }
        };
    Tree tree =
        Supervisor.named("test")
            .child("journal", ALWAYS, () -> idle("journal"))
            .door("http", door)
            .drainWithin(Duration.ofHours(1))
            .start(scope);
    Thread second =
        Thread.startVirtualThread(
            () -> {
              try {
                asked.await(Deadline.NEVER);
                tree.hasten();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    assertThat(tree.drain()).isEqualTo(new DrainReport(1, 0, 0, 1, 0, 0));
    assertThat(finished).containsExactly("journal");
    second.join();
  }

  private Task idle(String name) {
    return new Task() {
      @Override
      public Next run(Instant now) {
        return Next.at(Instant.MAX);
      }

      @Override
      public void finish(Instant now) {
        finished.add(name);
      }
    };
  }

  private Task stuckWith(Channel<Integer> work, Gate taken) {
    return new Task() {
      @Override
      public Next run(Instant now) throws InterruptedException {
        if (work.tryReceive() != null) {
          taken.open();
          never.await(Deadline.NEVER);
        }
        return Next.await(work);
      }

      @Override
      public void finish(Instant now) {
        finished.add("stuck");
      }
    };
  }

  /** Ends only when its counterpart in the other branch is being ended too. */
  private static Task meeting(Gate own, Gate other) {
    return new Task() {
      @Override
      public Next run(Instant now) {
        return Next.at(Instant.MAX);
      }

      @Override
      public void finish(Instant now) throws InterruptedException {
        own.open();
        other.await(Deadline.NEVER);
      }
    };
  }

  /** A door with one request that never ends. */
  private class HangingDoor implements Door {
    private final Gate hastened = new Gate(scope.time());

    @Override
    public void open() {}

    @Override
    public void stopIntake() {}

    @Override
    public Requests drain(Deadline deadline) throws InterruptedException {
      hastened.await(deadline);
      // Cutting takes a moment, after the deadline.
      never.await(Deadline.in(SHORT, scope.time()));
      return new Requests(0, 1);
    }

    @Override
    public void hasten() {
      hastened.open();
    }
  }
}
