package dev.ron.blake3;

import java.util.ArrayList;
import java.util.List;

/**
 * Times the kernels that agree with each other, in steps short enough to be taken in passing.
 *
 * <p>A vector kernel is hundreds of times slower than plain Java until the just-in-time compiler
 * has seen enough of it, so racing it is also what warms it up. Nothing is hashed with a kernel
 * before it has won.
 *
 * <p>Threading: guarded by the lock of {@link KernelChoice}.
 */
final class KernelRace {
  private static final long STEP_NANOS = 2_000_000;
  private static final long SECOND_NANOS = 1_000_000_000;

  /** The C library must be this much faster: its calls hold up the garbage collector. */
  private static final double NATIVE_HANDICAP = 1.15;

  /** One kernel's best rate so far. */
  private static final class Runner {
    final Kernel kernel;
    final long budgetNanos;
    long spentNanos;
    double bestBytesPerNano;

    Runner(Kernel kernel, long budgetNanos) {
      this.kernel = kernel;
      this.budgetNanos = budgetNanos;
    }
  }

  // A group for the widest lanes, and a remainder of 8, 4 and 1 chunks to warm the narrow ones.
  private static final int REST_CHUNKS = 13;

  private final byte[] in = KernelCheck.input();
  private final List<Runner> runners = new ArrayList<>();

  KernelRace(List<Kernel> kernels) {
    for (Kernel kernel : kernels) {
      // Compiling a vector kernel takes the most of a second on a busy machine.
      long budget = kernel instanceof VectorKernel ? SECOND_NANOS : SECOND_NANOS / 10;
      runners.add(new Runner(kernel, budget));
    }
  }

  /** Runs for a step's length; true when every kernel has had its time. */
  boolean step() {
    for (Runner runner : runners) {
      if (runner.spentNanos < runner.budgetNanos) {
        run(runner);
        return false;
      }
    }
    return true;
  }

  private void run(Runner runner) {
    Scratch scratch = Scratch.take();
    try {
      long begin = System.nanoTime();
      long bytes = 0;
      long spent;
      do {
        runner.kernel.halves(in, 0, Tree.GROUP_CHUNKS, Mode.PLAIN, 0, scratch);
        runner.kernel.chunks(in, 0, REST_CHUNKS, Mode.PLAIN, 0, scratch.values, 0, scratch);
        runner.kernel.parents(in, 0, REST_CHUNKS, Mode.PLAIN, scratch.values, 0, scratch);
        bytes += Tree.GROUP_BYTES;
        spent = System.nanoTime() - begin;
      } while (spent < STEP_NANOS);
      runner.spentNanos += spent;
      runner.bestBytesPerNano = Math.max(runner.bestBytesPerNano, (double) bytes / spent);
    } finally {
      scratch.give();
    }
  }

  Kernel winner() {
    Runner best = runners.getFirst();
    Runner bestJava = runners.getFirst();
    for (Runner runner : runners) {
      best = score(runner) > score(best) ? runner : best;
      boolean inJava = !(runner.kernel instanceof NativeKernel);
      bestJava = inJava && score(runner) > score(bestJava) ? runner : bestJava;
    }
    return best.kernel instanceof NativeKernel library
        ? library.withRest(bestJava.kernel)
        : best.kernel;
  }

  private static double score(Runner runner) {
    double rate = runner.bestBytesPerNano;
    return runner.kernel instanceof NativeKernel ? rate / NATIVE_HANDICAP : rate;
  }

  List<String> figures() {
    return runners.stream()
        .map(r -> "%s %.2f GB/s".formatted(r.kernel.name(), r.bestBytesPerNano))
        .toList();
  }
}
