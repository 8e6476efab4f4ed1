package dev.ron.raft;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Prints what a commit costs with three machines in one process; for ADR 0027, no test. */
final class CommitRate {
  private CommitRate() {}

  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory(Path.of(args[0]), "commit-rate");
    try (var cluster = new Cluster(folder, 1, "a", "b", "c")) {
      String leader = cluster.leader(0);
      RaftGroup group = cluster.node(leader).group(0);
      for (int bytes : new int[] {256, 16 << 10}) {
        run(group, bytes, 1, 200);
        for (int depth : new int[] {1, 4, 16, 64}) {
          run(group, bytes, depth, Math.max(200, Math.min(4000, 200 * depth)));
        }
      }
    }
  }

  private static void run(RaftGroup group, int bytes, int depth, int count) throws Exception {
    var places = new Semaphore(depth);
    long[] nanos = new long[count];
    long begun = System.nanoTime();
    for (int i = 0; i < count; i++) {
      places.acquire();
      int at = i;
      long start = System.nanoTime();
      var _ =
          group
              .propose(ByteBuffer.wrap(new byte[bytes]))
              .whenComplete(
                  (_, failed) -> {
                    nanos[at] = failed == null ? System.nanoTime() - start : Long.MAX_VALUE;
                    places.release();
                  });
    }
    if (!places.tryAcquire(depth, 60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("no answer");
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    Arrays.sort(nanos);
    System.out.printf(
        "%7d B, %2d at a time: %7.0f/s, p50 %6.2f ms, p99 %6.2f ms%n",
        bytes, depth, count / seconds, nanos[count / 2] / 1e6, nanos[count * 99 / 100] / 1e6);
  }
}
