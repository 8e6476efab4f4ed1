package dev.ron.blake3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Many threads, one hash, and no pool that can hold it up. */
class TeamTest {
  private static final byte[] IN = Inputs.random(1, 5 * Tree.PART_BYTES + 12_345);
  private static final Hash EXPECTED = Blake3.hash(IN);

  @Test
  void aPoolGivesTheSameHash() {
    try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
      for (int length : new int[] {0, 1, 1 << 20, (1 << 20) + 1, 2 << 20, IN.length}) {
        MemorySegment in = MemorySegment.ofArray(IN).asSlice(0, length);
        assertThat(Blake3.hash(in, pool)).as("%d bytes", length).isEqualTo(Blake3.hash(in));
      }
    }
  }

  @Test
  void aPoolThatRefusesOrNeverRunsOrRunsInlineDoesNotHoldItUp() {
    Executor refusing =
        task -> {
          throw new RejectedExecutionException();
        };
    Executor never = task -> {};
    for (Executor pool : new Executor[] {refusing, never, Runnable::run}) {
      assertThat(Blake3.hash(MemorySegment.ofArray(IN), pool)).isEqualTo(EXPECTED);
    }
  }

  @Test
  void itMayRunOnTheOnlyThreadOfItsOwnPool() throws Exception {
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      Callable<Hash> hash = () -> Blake3.hash(MemorySegment.ofArray(IN), pool);
      assertThat(pool.submit(hash).get()).isEqualTo(EXPECTED);
    }
  }

  @Test
  void memoryOfOneThreadIsLeftToThatThread() {
    try (ExecutorService pool = Executors.newFixedThreadPool(2);
        Arena arena = Arena.ofConfined()) {
      MemorySegment in = arena.allocate(IN.length).copyFrom(MemorySegment.ofArray(IN));
      assertThat(Blake3.hash(in, pool)).isEqualTo(EXPECTED);
    }
  }

  @Test
  void memoryThatIsGoneIsAnException() {
    Arena arena = Arena.ofShared();
    MemorySegment in = arena.allocate(3L * Tree.PART_BYTES);
    arena.close();
    assertThatThrownBy(() -> Blake3.hash(in, task -> {})).isInstanceOf(IllegalStateException.class);
  }
}
