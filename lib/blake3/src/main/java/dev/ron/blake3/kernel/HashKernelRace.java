package dev.ron.blake3.kernel;

import dev.ron.blake3.HashTree;
import dev.ron.blake3.Mode;
import java.util.ArrayList;
import java.util.List;

/**
 * Times the kernels that agree with each other, in steps short enough to be taken in passing.
 *
 * <p>A vector kernel is a hundred times slower than plain Java until the just-in-time compiler has
 * seen enough of it, so racing it is also what warms it up. Nothing is hashed with a kernel before
 * it has won.
 *
 * <p>Threading: guarded by the lock of {@link HashKernelChoice}.
 */
final class HashKernelRace {
  private static final long STEP_NANOS = 2_000_000;
  private static final long SECOND_NANOS = 1_000_000_000;

  /** The C library must be this much faster: its calls hold up the garbage collector. */
  private static final double NATIVE_HANDICAP = 1.15;

  /** Four lanes, the fewest there are, measured four times plain Java. */
  private static final double COLD_BELOW = 2;

  private static final int COLD_PATIENCE = 6;

  /** One kernel's best rate so far. */
  private static final class Runner {
    final HashKernel kernel;
    final long budgetNanos;
    long spentNanos;
    double bestBytesPerNano;

    Runner(HashKernel kernel, long budgetNanos) {
      this.kernel = kernel;
      this.budgetNanos = budgetNanos;
    }
  }

  /** Enough to be timed well, few enough to fit between two interruptions. */
  private static final int TIMED_GROUPS = 4;

  /** One turn of each narrow width, and one chunk over. */
  private static final int REST_CHUNKS = 8 + 4 + 1;

  private final byte[] in = HashKernelCheck.input();
  private final List<Runner> runners = new ArrayList<>();

  /** The first of {@code kernels} is plain Java, which the others are measured by. */
  HashKernelRace(List<HashKernel> kernels) {
    for (HashKernel kernel : kernels) {
      // Compiling a vector kernel takes the most of a second on a busy machine.
      long budget = kernel instanceof VectorHashKernel ? SECOND_NANOS : SECOND_NANOS / 10;
      runners.add(new Runner(kernel, budget));
    }
  }

  /** Runs for a step's length; true when every kernel has had its time. */
  boolean step() {
    for (Runner runner : runners) {
      if (!finished(runner)) {
        run(runner);
        return false;
      }
    }
    return true;
  }

  /**
   * A vector kernel that is not yet well ahead of plain Java has not been compiled yet, which a
   * busy machine can delay by seconds: it gets more time, but not without end.
   */
  private boolean finished(Runner runner) {
    boolean cold =
        runner.kernel instanceof VectorHashKernel
            && runner.bestBytesPerNano < COLD_BELOW * runners.getFirst().bestBytesPerNano;
    return runner.spentNanos >= (cold ? COLD_PATIENCE : 1) * runner.budgetNanos;
  }

  private void run(Runner runner) {
    Scratch scratch = Scratch.take();
    try {
      long begin = System.nanoTime();
      long now = begin;
      do {
        for (int i = 0; i < TIMED_GROUPS; i++) {
          runner.kernel.halves(in, 0, HashTree.GROUP_CHUNKS, Mode.PLAIN, 0, scratch);
        }
        long timed = System.nanoTime() - now;
        double rate = (double) TIMED_GROUPS * HashTree.GROUP_BYTES / Math.max(1, timed);
        runner.bestBytesPerNano = Math.max(runner.bestBytesPerNano, rate);
        // Not timed: warms the narrow lanes, which a group alone hardly uses.
        runner.kernel.chunks(in, 0, REST_CHUNKS, Mode.PLAIN, 0, scratch.values, 0, scratch);
        runner.kernel.parents(in, 0, REST_CHUNKS, Mode.PLAIN, scratch.values, 0, scratch);
        now = System.nanoTime();
      } while (now - begin < STEP_NANOS);
      runner.spentNanos += now - begin;
    } finally {
      scratch.give();
    }
  }

  HashKernel winner() {
    Runner best = runners.getFirst();
    Runner bestJava = runners.getFirst();
    for (Runner runner : runners) {
      best = score(runner) > score(best) ? runner : best;
      boolean inJava = !(runner.kernel instanceof NativeHashKernel);
      bestJava = inJava && score(runner) > score(bestJava) ? runner : bestJava;
    }
    return best.kernel instanceof NativeHashKernel library
        ? library.withRest(bestJava.kernel)
        : best.kernel;
  }

  private static double score(Runner runner) {
    double rate = runner.bestBytesPerNano;
    return runner.kernel instanceof NativeHashKernel ? rate / NATIVE_HANDICAP : rate;
  }

  List<String> figures() {
    return runners.stream()
        .map(r -> "%s %.2f GB/s".formatted(r.kernel.name(), r.bestBytesPerNano))
        .toList();
  }
}
