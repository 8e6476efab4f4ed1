package dev.ron.storage;

import static dev.ron.storage.Rig.bytes;

import dev.ron.kernel.time.SystemTime;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads everything that was put, from every node that runs, for as long as the test lasts; and
 * watches how many bytes repair moves.
 *
 * <p>Threading: thread-safe.
 */
final class Watchers implements AutoCloseable {
  private final ClusterProcesses nodes;
  private final long budget;
  private final Map<Long, Integer> put = new ConcurrentHashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  final List<String> contradictions = new CopyOnWriteArrayList<>();
  final AtomicLong reads = new AtomicLong();
  final AtomicLong samples = new AtomicLong();
  private final SystemTime time = new SystemTime();
  private final AtomicLong mostInASecond = new AtomicLong();
  private volatile boolean over;
  private volatile boolean resting;

  /**
   * @param budget bytes that one node's repair may move in any second
   */
  Watchers(ClusterProcesses nodes, long budget, long seed) {
    this.nodes = nodes;
    this.budget = budget;
    for (int i = 0; i < 2; i++) {
      var random = new SplittableRandom(seed + i);
      threads.add(Thread.ofVirtual().start(() -> read(random)));
    }
  }

  /** A node's moved bytes, looked at again and again. */
  void watchBudget(String node) {
    threads.add(Thread.ofVirtual().start(() -> sample(node)));
  }

  /** The most bytes that any node was seen to move within a second, at most. */
  long mostInASecond() {
    return mostInASecond.get();
  }

  /** There are no reads, so that repair gives way to none. */
  void rest(boolean resting) {
    this.resting = resting;
  }

  void acknowledged(long id, int size) {
    put.put(id, size);
  }

  Map<Long, Integer> put() {
    return Map.copyOf(put);
  }

  private void read(SplittableRandom random) {
    while (!over) {
      List<Long> ids = List.copyOf(put.keySet());
      List<String> running = nodes.running();
      if (resting || ids.isEmpty() || running.isEmpty()) {
        rest();
        continue;
      }
      long id = ids.get(random.nextInt(ids.size()));
      String node = running.get(random.nextInt(running.size()));
      check(id, node);
      rest();
    }
  }

  private void check(long id, String node) {
    byte[] object = bytes(id, put.get(id));
    try {
      HttpResponse<byte[]> answer = nodes.read(node, object);
      reads.incrementAndGet();
      if (answer.statusCode() != 200) {
        contradictions.add("object %d on %s: %s".formatted(id, node, Rig.words(answer)));
      } else if (!Arrays.equals(answer.body(), object)) {
        contradictions.add("object %d on %s: wrong bytes".formatted(id, node));
      }
    } catch (IOException e) {
      if (!over && nodes.running().contains(node)) {
        // A node that was killed while it answered is no contradiction; one that runs is.
        contradictions.add("object %d on %s: %s".formatted(id, node, e));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private record Sample(long before, long after, long moved) {}

  private void sample(String node) {
    var seen = new ArrayList<Sample>();
    while (!over) {
      long before = System.nanoTime();
      String words = nodes.repair(node);
      long after = System.nanoTime();
      if (words.isEmpty() || !words.contains("moved_bytes")) {
        seen.clear(); // a process that was killed begins to count anew
        rest();
        continue;
      }
      long moved = Long.parseLong(Rig.field(words, "moved_bytes"));
      if (!seen.isEmpty() && moved < seen.getLast().moved()) {
        seen.clear();
      }
      seen.removeIf(old -> before - old.before() > 2_000_000_000L);
      for (Sample old : seen) {
        if (after - old.before() > 1_000_000_000L) {
          continue;
        }
        long within = moved - old.moved();
        mostInASecond.accumulateAndGet(within, Math::max);
        if (within > budget) {
          contradictions.add(
              "%s moved %d bytes within %d ms"
                  .formatted(node, within, (after - old.before()) / 1_000_000));
        }
      }
      seen.add(new Sample(before, after, moved));
      samples.incrementAndGet();
      rest();
    }
  }

  /** Leaves the machine to the nodes that are watched. */
  private void rest() {
    try {
      time.sleepUntil(time.now().plus(Duration.ofMillis(20)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    over = true;
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while the watchers end", e);
    }
  }
}
