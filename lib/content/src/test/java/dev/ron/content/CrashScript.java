package dev.ron.content;

import static dev.ron.content.Objects.address;
import static dev.ron.content.Objects.bytes;
import static dev.ron.content.Objects.readAll;
import static dev.ron.content.Objects.stream;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.content.store.SegmentConfig;
import dev.ron.content.store.SegmentStore;
import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.FaultyDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * Puts and deletes from several threads on a disk that fails at some point, then the power goes
 * out, again and again; after each start the store is held against what was answered.
 */
public final class CrashScript {
  private static final int WRITERS = 4;
  private static final int OBJECTS = 40;
  private static final SegmentConfig CONFIG =
      SegmentConfig.in(Path.of("/store"))
          .withSizes(128 << 10, 1 << 20, 64 << 10)
          .withKeepEvery(Duration.ofMillis(1))
          .withDeleteGrace(Duration.ZERO);

  private final RandomGenerator random;
  private final long seed;
  private final FaultyDisk disk;

  /** What must be true of an object: there, not there, or either because no caller was told. */
  private enum Truth {
    THERE,
    GONE,
    EITHER
  }

  private final Map<Address, Truth> truths = new ConcurrentHashMap<>();
  private final Map<Address, byte[]> contents = new HashMap<>();
  private final List<Address> addresses = new ArrayList<>();

  public CrashScript(long seed, RandomGenerator random) {
    this.seed = seed;
    this.random = random;
    this.disk = new FaultyDisk(new SystemTime(), random);
    for (int i = 0; i < OBJECTS; i++) {
      int length = random.nextInt(4) == 0 ? random.nextInt(300_000) : random.nextInt(9_000);
      byte[] object = bytes(seed * 1000 + i, length);
      Address address = address(object);
      contents.put(address, object);
      addresses.add(address);
      truths.put(address, Truth.GONE);
    }
  }

  public void play(int rounds) throws Exception {
    for (int round = 0; round < rounds; round++) {
      RunningStore running = RunningStore.open(disk, CONFIG);
      check(running.store(), "round " + round);
      plant();
      write(running.store());
      // Half the time the store is cut off in the middle, else it ends in order first.
      if (random.nextBoolean()) {
        running.abandon();
      } else {
        try {
          running.close();
        } catch (java.io.IOException _) {
          // The disk fails on purpose.
        }
      }
      disk.crash();
      heal();
    }
    RunningStore last = RunningStore.open(disk, CONFIG);
    check(last.store(), "at the end");
    last.abandon();
  }

  private void plant() {
    switch (random.nextInt(5)) {
      case 0 -> disk.failWriteAfter(random.nextInt(60));
      case 1 -> disk.failFlushAfter(random.nextInt(30));
      case 2 -> disk.capacity(usedBytes() + random.nextInt(400_000));
      default -> {}
    }
  }

  private void heal() {
    disk.failWriteAfter(Integer.MAX_VALUE);
    disk.failFlushAfter(Integer.MAX_VALUE);
    disk.capacity(Long.MAX_VALUE);
  }

  private long usedBytes() {
    return Long.MAX_VALUE - disk.freeBytes(CONFIG.folder()); // while the capacity is unbounded
  }

  /** Each thread has objects of its own, so that what it was told is what is true. */
  private void write(SegmentStore store) throws InterruptedException {
    var threads = new ArrayList<Thread>();
    var failures = new ConcurrentHashMap<Integer, Throwable>();
    for (int writer = 0; writer < WRITERS; writer++) {
      int mine = writer;
      long threadSeed = random.nextLong();
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      write(store, mine, new java.util.SplittableRandom(threadSeed));
                    } catch (Exception | AssertionError e) {
                      failures.put(mine, e);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).as("seed " + seed).isEmpty();
  }

  private void write(SegmentStore store, int writer, RandomGenerator mine) throws Exception {
    for (int step = 0; step < 15; step++) {
      Address address = addresses.get(mine.nextInt(OBJECTS / WRITERS) * WRITERS + writer);
      if (mine.nextInt(4) == 0) {
        switch (store.delete(address)) {
          case DeleteResult.Deleted _ -> truths.put(address, Truth.GONE);
          case DeleteResult.Refused(ContentFault fault) -> {
            if (fault instanceof ContentFault.NotFound) {
              assertThat(truths.get(address)).isNotEqualTo(Truth.THERE);
              truths.put(address, Truth.GONE);
            } else {
              truths.put(address, Truth.EITHER);
            }
          }
        }
      } else {
        switch (store.put(stream(contents.get(address)))) {
          case PutResult.Stored _ -> truths.put(address, Truth.THERE);
          case PutResult.Refused _ -> {
            if (truths.get(address) != Truth.THERE) {
              truths.put(address, Truth.EITHER);
            }
          }
        }
      }
    }
  }

  private void check(SegmentStore store, String when) throws Exception {
    long there = 0;
    for (Address address : addresses) {
      boolean found = store.contains(address);
      there += found ? 1 : 0;
      if (found) {
        assertThat(readAll(store, address)).as(when).isEqualTo(contents.get(address));
      }
      Truth truth = truths.get(address);
      if (truth != Truth.EITHER) {
        assertThat(found).as("%s: %s is %s", when, address, truth).isEqualTo(truth == Truth.THERE);
      }
      truths.put(address, found ? Truth.THERE : Truth.GONE);
    }
    assertThat(store.space().objects()).as(when).isEqualTo(there);
  }
}
