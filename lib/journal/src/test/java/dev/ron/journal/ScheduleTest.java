package dev.ron.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.journal.file.FileJournal;
import dev.ron.journal.file.Rig;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.supervise.DrainReport;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.testkit.FaultyDisk;
import dev.ron.testkit.NoThreadsLeft;
import dev.ron.testkit.SeededThreads;
import dev.ron.testkit.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Appenders, the flush task and the drain in every order that the seeds come upon. */
@ExtendWith(NoThreadsLeft.class)
class ScheduleTest {
  @Test
  void whoeverIsToldDurableIsReplayed() {
    Seeds.forEach(600, (seed, _) -> play(seed));
  }

  @Test
  @Tag("long")
  void whoeverIsToldDurableIsReplayedForLong() {
    Seeds.forEach(50_000, (seed, _) -> play(seed));
  }

  private static void play(long seed) {
    var threads = new SeededThreads(seed);
    threads.run(() -> new Schedule(threads, seed).run());
  }

  /** One run under one seed; every third has a disk that fails a flush on the way. */
  private static final class Schedule {
    private final World world;
    private final Scope scope;
    private final FaultyDisk disk;
    private final FileJournal journal;
    private final boolean failing;
    private final int appenders;
    private final Map<Long, String> taken = new HashMap<>();
    private final List<Long> durable = new ArrayList<>();
    private final List<Long> unknown = new ArrayList<>();

    Schedule(SeededThreads threads, long seed) throws IOException {
      var chance = new java.util.SplittableRandom(seed);
      disk = new FaultyDisk(threads.clock(), chance);
      world = threads.world(disk);
      scope = Scope.of("test", world);
      journal = FileJournal.open(scope, Rig.SMALL.sized(400, 200, 100, chance.nextInt(2) * 2000));
      disk.slow(Duration.ofMillis(chance.nextInt(3)));
      appenders = 1 + chance.nextInt(4);
      failing = seed % 3 == 0;
      if (failing) {
        disk.failFlushAfter(chance.nextInt(10));
      }
    }

    void run() throws Exception {
      Tree tree =
          Supervisor.named("test").child("flush", Restart.ALWAYS, journal::flushTask).start(scope);
      var ends = new ArrayList<Gate>();
      for (int i = 0; i < appenders; i++) {
        var end = new Gate(world.time());
        int number = i;
        ends.add(end);
        world.threads().start("appender-" + i, () -> appendSome(number, end));
      }
      // Half of the runs drain under the appenders' feet.
      if (world.chance().nextBoolean()) {
        for (Gate end : ends) {
          end.await(Deadline.NEVER);
        }
      } else {
        world.time().sleepUntil(world.time().now().plusMillis(world.chance().nextInt(8)));
      }
      DrainReport report = tree.drain();
      for (Gate end : ends) {
        end.await(Deadline.NEVER);
      }
      check(report);
    }

    private void appendSome(int number, Gate end) {
      try {
        for (int i = 0; i < 6; i++) {
          String text = number + "." + i;
          switch (journal.append(List.of(ByteBuffer.wrap(text.getBytes(UTF_8))))) {
            case AppendResult.Taken(long first, long next) -> {
              assertThat(taken.put(first, text)).as("each position once").isNull();
              await(first, next);
            }
            case AppendResult.Refused(JournalFault.Busy _) -> {}
            case AppendResult.Refused _ -> {
              return;
            }
          }
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      } finally {
        end.open();
      }
    }

    private void await(long first, long next) throws InterruptedException {
      // Some do not wait, so that batches hold more than one record of an appender.
      if (world.chance().nextInt(4) == 0) {
        return;
      }
      switch (journal.await(next, Deadline.NEVER)) {
        case Durability.Durable _ -> durable.add(first);
        case Durability.Unknown _ -> unknown.add(first);
        case Durability.Late _ -> throw new AssertionError("late without a deadline");
      }
    }

    private void check(DrainReport report) throws IOException {
      assertThat(report.tasksAborted()).isZero();
      long flushed = journal.flushed().value().position();
      assertThat(durable).allMatch(position -> position < flushed);
      assertThat(unknown).allMatch(position -> position >= flushed);
      if (!failing) {
        assertThat(flushed).as("the drain flushes all").isEqualTo(taken.size());
        assertThat(unknown).isEmpty();
        assertThat(report.clean()).isTrue();
      }
      disk.slow(Duration.ZERO);
      disk.failFlushAfter(Integer.MAX_VALUE);
      disk.crash();
      var again = FileJournal.open(Scope.of("again", world), settingsAfter());
      List<String> replayed = Rig.replayed(again, 0);
      assertThat((long) replayed.size()).isGreaterThanOrEqualTo(flushed);
      for (int i = 0; i < replayed.size(); i++) {
        assertThat(replayed.get(i)).isEqualTo(taken.get((long) i));
      }
    }

    private static JournalSettings settingsAfter() {
      return Rig.SMALL.sized(400, 200, 100, 0).verifiedAtOpen(true);
    }
  }
}
