package dev.ron.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ScratchPoolTest {
  @Test
  void whatIsGivenBackIsLentAgain() {
    ScratchPool pool = new ScratchPool(2);
    byte[][] blocks = pool.borrow();
    assertThat(blocks).hasDimensions(2, ScratchPool.BLOCK_BYTES);
    assertThat(pool.borrow()).isNotSameAs(blocks);
    pool.giveBack(blocks);
    assertThat(pool.borrow()).isSameAs(blocks);
  }

  @Test
  void noTwoBorrowersHoldTheSameBlocks() throws Exception {
    ScratchPool pool = new ScratchPool(1);
    try (var threads = Executors.newFixedThreadPool(8)) {
      List<Future<Integer>> clashes = new ArrayList<>();
      for (int thread = 1; thread <= 8; thread++) {
        byte mark = (byte) thread;
        clashes.add(threads.submit(() -> clashes(pool, mark)));
      }
      for (Future<Integer> count : clashes) {
        assertThat(count.get()).isZero();
      }
    }
  }

  /** Fills each borrowed block with the thread's mark and looks whether another's got in. */
  private static int clashes(ScratchPool pool, byte mark) {
    int clashes = 0;
    byte[] expected = new byte[ScratchPool.BLOCK_BYTES];
    Arrays.fill(expected, mark);
    for (int round = 0; round < 20_000; round++) {
      byte[][] blocks = pool.borrow();
      Arrays.fill(blocks[0], mark);
      if (!Arrays.equals(blocks[0], expected)) {
        clashes++;
      }
      pool.giveBack(blocks);
    }
    return clashes;
  }
}
