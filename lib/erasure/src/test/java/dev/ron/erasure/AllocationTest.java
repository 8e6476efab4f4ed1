package dev.ron.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The hot path allocates nothing. Interpreted vector code does allocate, so the test runs until the
 * compiler has been there; it fails if that state is never reached.
 */
class AllocationTest {
  private static final int CALLS = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ReedSolomon code = ReedSolomon.of(6, 3);
  private final byte[][] shards = Samples.encoded(6, 3, 4099, 1);
  private final ShardSet lost = ShardSet.of(0, 4);
  private final ShardSet present = ShardSet.range(0, 9).minus(lost);

  @Test
  void encodeAllocatesNothing() {
    assertThat(leastBytes(() -> code.encode(shards, 0, 4099))).isZero();
  }

  @Test
  void reconstructAllocatesNothing() {
    assertThat(leastBytes(() -> code.reconstruct(shards, present, lost, 0, 4099))).isZero();
  }

  @Test
  void segmentsAllocateNothing() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment[] segments = Samples.offHeap(shards, arena);
      assertThat(leastBytes(() -> code.encode(segments))).isZero();
    }
  }

  private static long leastBytes(Runnable run) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long start = System.nanoTime();
    long least = Long.MAX_VALUE;
    while (least > 0 && System.nanoTime() - start < PATIENCE.toNanos()) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < CALLS; i++) {
        run.run();
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }
}
