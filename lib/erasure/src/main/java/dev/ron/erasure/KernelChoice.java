package dev.ron.erasure;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Which kernel runs in this process, and why.
 *
 * <p>Decided once, at first use. Kernels are tried in order of preference, the widest vectors
 * first; the first one that agrees with {@link ScalarKernel}, before and after the compiler has
 * seen it run, and is faster by {@link #LEAD}, is taken. The trial is also the warm-up: vector code
 * is a thousand times slower until it is compiled, so a service asks at start. On two busy cores it
 * took one to three seconds. A plain race against the clock would be wrong: where the compiler
 * comes late, it chose the slowest kernel for good.
 *
 * <p>The system property {@value #PROPERTY} names a kernel instead: {@code scalar}, {@code
 * vector-128}, {@code vector-256}, {@code vector-512}; {@code auto} is the default. A named kernel
 * must agree too.
 *
 * <p>Threading: immutable.
 */
public final class KernelChoice {
  public static final String PROPERTY = "ron.erasure.kernel";

  private static final String VECTOR_MODULE = "jdk.incubator.vector";

  /** Compiled vector code is at least ten times as fast as scalar code, uncompiled never twice. */
  private static final double LEAD = 2;

  private static final Duration SCALAR_TRIAL = Duration.ofMillis(50);

  /**
   * For all vector kernels together: several times what the compiler needs on a busy machine.
   * Without a compiler the start takes this long; name the scalar kernel there.
   */
  private static final Duration VECTOR_TRIALS_MAX = Duration.ofSeconds(10);

  private final Kernel kernel;
  private final List<Trial> trials;

  /** One kernel's result; the speed is 0 where it was not measured. */
  public record Trial(String kernel, boolean agrees, double gigabytesPerSecond) {}

  private KernelChoice(Kernel kernel, List<Trial> trials) {
    this.kernel = kernel;
    this.trials = List.copyOf(trials);
  }

  /** The choice of this process. */
  public static KernelChoice atStart() {
    return Holder.CHOICE;
  }

  public String name() {
    return kernel.name();
  }

  public List<Trial> trials() {
    return trials;
  }

  Kernel kernel() {
    return kernel;
  }

  static KernelChoice choose(@Nullable String wanted, List<Kernel> available) {
    if (wanted == null || wanted.isEmpty() || wanted.equals("auto")) {
      return trial(available);
    }
    for (Kernel kernel : available) {
      if (kernel.name().equals(wanted)) {
        if (!new Trials().agrees(kernel)) {
          throw new IllegalStateException(PROPERTY + "=" + wanted + " computes wrong results here");
        }
        return new KernelChoice(kernel, List.of(new Trial(wanted, true, 0)));
      }
    }
    throw new IllegalArgumentException(
        PROPERTY + "=" + wanted + ": not one of " + available.stream().map(Kernel::name).toList());
  }

  /** Every kernel that can be loaded here, in order of preference; the scalar one is the last. */
  static List<Kernel> available() {
    List<Kernel> kernels = new ArrayList<>();
    if (ModuleLayer.boot().findModule(VECTOR_MODULE).isPresent()) {
      for (int bits = VectorWidth.bitsMax(); bits >= 128; bits /= 2) {
        kernels.add(vector(bits));
      }
    }
    kernels.add(new ScalarKernel());
    return kernels;
  }

  private static KernelChoice trial(List<Kernel> available) {
    Trials trials = new Trials();
    Kernel scalar = new ScalarKernel();
    double scalarSpeed = trials.gigabytesPerSecond(scalar, SCALAR_TRIAL, Double.MAX_VALUE);
    List<Trial> results = new ArrayList<>();
    results.add(new Trial(scalar.name(), true, scalarSpeed));
    double bar = LEAD * scalarSpeed;
    long start = System.nanoTime();
    for (Kernel kernel : available) {
      if (kernel instanceof ScalarKernel) {
        continue;
      }
      Duration left = VECTOR_TRIALS_MAX.minusNanos(System.nanoTime() - start);
      boolean agrees = trials.agrees(kernel);
      double speed = agrees ? trials.gigabytesPerSecond(kernel, left, bar) : 0;
      agrees = agrees && trials.agrees(kernel);
      results.add(new Trial(kernel.name(), agrees, speed));
      if (agrees && speed > bar) {
        return new KernelChoice(kernel, results);
      }
    }
    return new KernelChoice(scalar, results);
  }

  /** Defines the template of {@link VectorKernel} for one width; see there for the reason. */
  private static Kernel vector(int bits) {
    try (InputStream template = KernelChoice.class.getResourceAsStream("VectorKernel.class")) {
      if (template == null) {
        throw new IllegalStateException("VectorKernel.class is missing beside KernelChoice.class");
      }
      return (Kernel)
          MethodHandles.lookup()
              .defineHiddenClassWithClassData(template.readAllBytes(), bits, true)
              .lookupClass()
              .getDeclaredConstructor()
              .newInstance();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot define the vector kernel of " + bits + " bits", e);
    }
  }

  private static final class Holder {
    static final KernelChoice CHOICE = choose(System.getProperty(PROPERTY), available());
  }

  /** One fixed piece of work: 6+3, with an odd length so that the end of the arrays counts too. */
  private static final class Trials {
    private static final int BYTES = 8 * 1024 + 13;
    private static final int AT = 3;

    private final Combination parity = new CodingMatrix(6, 3).parity();
    private final byte[][] shards = new byte[9][AT + BYTES];
    private final byte[][] expected = new byte[9][AT + BYTES];

    Trials() {
      Random random = new Random(0x11d);
      for (int shard = 0; shard < 6; shard++) {
        random.nextBytes(shards[shard]);
      }
      new ScalarKernel().apply(parity, shards, AT, expected, AT, BYTES);
    }

    boolean agrees(Kernel kernel) {
      for (int shard : parity.into) {
        Arrays.fill(shards[shard], (byte) 0);
      }
      kernel.apply(parity, shards, AT, shards, AT, BYTES);
      for (int shard : parity.into) {
        if (!Arrays.equals(shards[shard], expected[shard])) {
          return false;
        }
      }
      return true;
    }

    /** The best round counts: the early ones measure the interpreter. Stops above the bar. */
    double gigabytesPerSecond(Kernel kernel, Duration max, double bar) {
      double best = 0;
      long start = System.nanoTime();
      long now = start;
      while (now - start < max.toNanos() && best <= bar) {
        kernel.apply(parity, shards, AT, shards, AT, BYTES);
        long then = now;
        now = System.nanoTime();
        best = Math.max(best, 6.0 * BYTES / (now - then));
      }
      return best;
    }
  }
}
