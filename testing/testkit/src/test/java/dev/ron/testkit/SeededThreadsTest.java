package dev.ron.testkit;

import static dev.ron.kernel.channel.Overflow.AWAIT;
import static dev.ron.kernel.channel.Overflow.REJECT_NEW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.supervise.DrainReport;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SeededThreadsTest {
  @Test
  void aPlantedRaceIsFoundAndItsSeedFindsItAgain() {
    long guilty = 1;
    while (!losesAnUpdate(guilty)) {
      guilty++;
      assertThat(guilty).as("no schedule showed the race").isLessThan(1000);
    }
    long trace = traceOf(guilty);
    for (int again = 0; again < 20; again++) {
      assertThat(losesAnUpdate(guilty)).as("seed %d", guilty).isTrue();
      assertThat(traceOf(guilty)).isEqualTo(trace);
    }
  }

  @Test
  void differentSeedsAreDifferentSchedules() {
    List<Long> traces = new ArrayList<>();
    for (long seed = 1; seed <= 50; seed++) {
      traces.add(traceOf(seed));
    }
    assertThat(traces.stream().distinct().count()).isGreaterThan(5);
  }

  @Test
  void aDeadlockIsReportedWithTheThreadsInIt() {
    var threads = new SeededThreads(3);
    assertThatThrownBy(
            () ->
                threads.run(
                    () -> {
                      var world = threads.world(new RealDisk());
                      new Gate(world.time()).await(Deadline.NEVER);
                    }))
        .hasMessageContaining("deadlock")
        .hasMessageContaining("test");
  }

  @Test
  void timeMovesOnlyWhenNobodyCanRun() {
    var threads = new SeededThreads(4);
    threads.run(
        () -> {
          var world = threads.world(new RealDisk());
          world.time().sleepUntil(world.time().now().plus(Duration.ofDays(365)));
        });
    assertThat(threads.clock().now())
        .isEqualTo(dev.ron.kernel.time.VirtualTime.START.plus(Duration.ofDays(365)));
  }

  /** The drain of the real tree on real threads: nothing lost, nothing twice, always an end. */
  @RepeatedTest(10)
  @SeedRow({"E76", "G73"})
  void underEveryScheduleADrainHandlesOrCountsWhatWasAccepted() {
    Seeds.forEach(
        400,
        (seed, random) -> {
          var threads = new SeededThreads(seed);
          threads.run(() -> drainUnderLoad(threads, random.nextInt(1, 4), random.nextInt(0, 30)));
        });
  }

  private static void drainUnderLoad(SeededThreads threads, int workers, int itemsBeforeDrain)
      throws Exception {
    var world = threads.world(new RealDisk());
    var scope = Scope.of("test", world);
    var work = Channel.<Integer>bounded(scope, "work", 4, AWAIT);
    var handled = new ArrayList<Integer>();
    var half = new Gate(world.time());
    Tree tree =
        Supervisor.named("test")
            .children("worker", workers, Restart.ALWAYS, () -> collecting(work, handled))
            .start(scope);
    var accepted = new ArrayList<Integer>();
    var producerEnded = new Gate(world.time());
    world
        .threads()
        .start(
            "producer",
            () -> {
              try {
                for (int i = 0; i < 40; i++) {
                  if (i == itemsBeforeDrain) {
                    half.open();
                  }
                  if (work.send(i, Deadline.NEVER) instanceof SendResult.Sent) {
                    accepted.add(i);
                  } else {
                    break;
                  }
                }
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              } finally {
                half.open();
                producerEnded.open();
              }
            });
    half.await(Deadline.NEVER);
    DrainReport report = tree.drain();
    producerEnded.await(Deadline.NEVER);
    assertThat(report.tasksDrained()).isEqualTo(workers);
    assertThat(handled).doesNotHaveDuplicates();
    assertThat(handled.size() + report.itemsDropped()).isEqualTo(accepted.size());
    assertThat(accepted).containsAll(handled);
  }

  private static Task collecting(Channel<Integer> work, List<Integer> handled) {
    return _ -> {
      Integer item = work.tryReceive();
      if (item == null) {
        return Next.await(work);
      }
      handled.add(item);
      return Next.again();
    };
  }

  /** Two threads add one each without holding the lock between reading and writing. */
  private static boolean losesAnUpdate(long seed) {
    return increments(new SeededThreads(seed)) != 2;
  }

  private static long traceOf(long seed) {
    var threads = new SeededThreads(seed);
    increments(threads);
    return threads.trace();
  }

  private static int increments(SeededThreads threads) {
    int[] counter = {0};
    threads.run(
        () -> {
          var world = threads.world(new RealDisk());
          var lock = new ReentrantLock();
          for (int i = 0; i < 2; i++) {
            world
                .threads()
                .start(
                    "adder-" + i,
                    () -> {
                      int read = locked(lock, () -> counter[0]);
                      world.time().now();
                      locked(lock, () -> counter[0] = read + 1);
                    });
          }
        });
    return counter[0];
  }

  private static int locked(ReentrantLock lock, java.util.function.IntSupplier critical) {
    lock.lock();
    try {
      return critical.getAsInt();
    } finally {
      lock.unlock();
    }
  }

  @Test
  void aPoolThatLosesHalfItsWorkersUnderLoadRecovers() {
    Seeds.forEach(
        50,
        (seed, _) -> {
          var threads = new SeededThreads(seed);
          threads.run(() -> killHalf(threads));
        });
  }

  private static void killHalf(SeededThreads threads) throws Exception {
    var world = threads.world(new RealDisk());
    var scope = Scope.of("test", world);
    var work = Channel.<String>bounded(scope, "work", 512, REJECT_NEW);
    var handled = new ArrayList<String>();
    Tree tree =
        Supervisor.named("test")
            .children("worker", 4, Restart.ALWAYS, () -> mortal(work, handled))
            .start(scope);
    for (int i = 0; i < 20; i++) {
      work.trySend(i == 5 || i == 6 ? "poison" : "item-" + i);
    }
    world.time().sleepUntil(world.time().now().plus(Duration.ofSeconds(1)));
    assertThat(handled).hasSize(18).doesNotHaveDuplicates();
    assertThat(scope.counters().serviceRestarts().labelValues("worker").get()).isEqualTo(2);
    assertThat(scope.readiness().missing()).as("recovered within a second").isEmpty();
    assertThat(tree.drain()).isEqualTo(DrainReport.tasks(4, 0));
  }

  private static Task mortal(Channel<String> work, List<String> handled) {
    return _ -> {
      String item = work.tryReceive();
      if (item == null) {
        return Next.await(work);
      }
      if (item.equals("poison")) {
        throw new IllegalStateException("planted");
      }
      handled.add(item);
      return Next.again();
    };
  }
}
