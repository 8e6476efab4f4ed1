package dev.ron.content;

import static dev.ron.content.Objects.address;
import static dev.ron.content.Objects.bytes;
import static dev.ron.content.Objects.readAll;
import static dev.ron.content.Objects.stream;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.content.store.SegmentConfig;
import dev.ron.content.store.SegmentStore;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.kernel.time.Time;
import dev.ron.testkit.FaultyDisk;
import dev.ron.testkit.NoThreadsLeft;
import dev.ron.testkit.SeededThreads;
import dev.ron.testkit.Seeds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Puts, deletes, reads, the commit and compaction in every order that the seeds come upon. */
@ExtendWith(NoThreadsLeft.class)
final class ScheduleTest {
  private static final SegmentConfig CONFIG =
      SegmentConfig.in(Path.of("/store"))
          .withSizes(64 << 10, 1 << 20, 32 << 10)
          .withKeepEvery(Duration.ofMillis(1))
          .withDeleteGrace(Duration.ZERO);
  private static final int WRITERS = 3;
  private static final int OBJECTS_EACH = 4;
  private static final int STEPS = 30;

  /** Over all seeds, so that a schedule in which nothing was compacted proves nothing alone. */
  private double compactions;

  @Test
  void whatWasAnsweredIsTrueWhateverTheOrder() {
    Seeds.forEach(20, (seed, _) -> play(seed));
    assertThat(compactions).as("compactions in all schedules").isPositive();
  }

  @Test
  @Tag("long")
  void whatWasAnsweredIsTrueWhateverTheOrderForLong() {
    Seeds.forEach(5_000, (seed, _) -> play(seed));
    assertThat(compactions).as("compactions in all schedules").isPositive();
  }

  private void play(long seed) {
    var threads = new SeededThreads(seed);
    threads.run(() -> new Schedule(threads, seed).run());
  }

  /** One run under one seed. */
  private final class Schedule {
    private final World world;
    private final FaultyDisk disk;
    private final List<byte[]> objects = new ArrayList<>();

    /** Written by the one thread whose objects they are. */
    private final boolean[] there = new boolean[WRITERS * OBJECTS_EACH];

    Schedule(SeededThreads threads, long seed) {
      disk = new FaultyDisk(threads.clock(), new SplittableRandom(seed));
      // A look at the clock is where the seed may change threads: so before each use of the disk.
      var clock = new AtomicReference<@Nullable Time>();
      world =
          threads.world(
              new HookedDisk(
                  disk,
                  (_, _) -> {
                    Time time = clock.get();
                    if (time != null) {
                      time.now();
                    }
                  }));
      clock.set(world.time());
      var chance = new SplittableRandom(seed);
      for (int i = 0; i < there.length; i++) {
        int length = chance.nextInt(5) == 0 ? 65_000 + chance.nextInt(70_000) : 20_000;
        objects.add(bytes(seed * 100 + i, length + i));
      }
    }

    void run() throws Exception {
      Scope scope = Scope.of("test", world);
      SegmentStore store = SegmentStore.open(scope, CONFIG);
      Tree tree = store.tasks().start(scope);
      var ends = new ArrayList<Gate>();
      for (int i = 0; i < WRITERS; i++) {
        var end = new Gate(world.time());
        int writer = i;
        ends.add(end);
        world.threads().start("writer-" + i, () -> write(store, writer, end));
      }
      for (Gate end : ends) {
        end.await(Deadline.NEVER);
      }
      check(store);
      tree.drain();
      compactions += figure(scope, "content_compactions_total");
      disk.crash();
      Scope again = Scope.of("again", world);
      check(SegmentStore.open(again, CONFIG));
    }

    private void write(SegmentStore store, int writer, Gate end) {
      try {
        for (int step = 0; step < STEPS; step++) {
          int mine = writer * OBJECTS_EACH + world.chance().nextInt(OBJECTS_EACH);
          byte[] object = objects.get(mine);
          switch (world.chance().nextInt(3)) {
            case 0 -> {
              assertThat(store.delete(address(object)) instanceof DeleteResult.Deleted)
                  .isEqualTo(there[mine]);
              there[mine] = false;
            }
            case 1 -> {
              assertThat(store.put(stream(object)).orThrow().fresh()).isEqualTo(!there[mine]);
              there[mine] = true;
            }
            default -> {
              look(store, world.chance().nextInt(objects.size()));
              // Time passes only when no task can run; without it the housekeeping never would.
              int pause = world.chance().nextInt(3);
              world.time().sleepUntil(world.time().now().plusMillis(pause));
            }
          }
        }
      } catch (Exception e) {
        throw new AssertionError(e);
      } finally {
        end.open();
      }
    }

    /** An object of all writers: it may come and go meanwhile, but what is read is right. */
    private void look(SegmentStore store, int number) throws Exception {
      byte[] object = objects.get(number);
      if (store.open(address(object)) instanceof OpenResult.Opened(ContentReader reader)) {
        assertThat(readAll(reader)).isEqualTo(object);
      }
    }

    private void check(SegmentStore store) throws Exception {
      for (int i = 0; i < there.length; i++) {
        byte[] object = objects.get(i);
        assertThat(store.contains(address(object))).as("object " + i).isEqualTo(there[i]);
        if (there[i]) {
          assertThat(readAll(store, address(object))).isEqualTo(object);
        }
      }
    }

    private static double figure(Scope scope, String name) {
      return scope
          .metrics()
          .text()
          .lines()
          .filter(line -> line.startsWith(name + "{"))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    }
  }
}
