package dev.ron.erasure;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Which kernel runs in this process, and why.
 *
 * <p>Decided once, at first use: every kernel that can be loaded here must agree with {@link
 * ScalarKernel}, before and after the compiler has seen it run, and the fastest wins. The race
 * takes up to a second, so a service asks at start; it is also the warm-up, for vector code is a
 * thousand times slower until it is compiled. The system property {@value #PROPERTY} names a kernel
 * instead: {@code scalar}, {@code vector-128}, {@code vector-256}, {@code vector-512}, or {@code
 * auto}.
 *
 * <p>Threading: immutable.
 */
public final class KernelChoice {
  public static final String PROPERTY = "ron.erasure.kernel";

  private static final String VECTOR_MODULE = "jdk.incubator.vector";

  /** How long each contestant runs: what the compiler needs to get to it, with some to spare. */
  private static final long RACE_NANOS = 250_000_000;

  private final Kernel kernel;
  private final List<Trial> trials;

  /** One contestant's result; no speed where the choice was not open or the results differ. */
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
      return race(available);
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

  /** Every kernel that can be loaded here, the scalar one first. */
  static List<Kernel> available() {
    List<Kernel> kernels = new ArrayList<>();
    kernels.add(new ScalarKernel());
    if (ModuleLayer.boot().findModule(VECTOR_MODULE).isPresent()) {
      for (int bits = 128; bits <= VectorWidth.bitsMax(); bits *= 2) {
        kernels.add(vector(bits));
      }
    }
    return kernels;
  }

  private static KernelChoice race(List<Kernel> available) {
    Trials trials = new Trials();
    List<Trial> results = new ArrayList<>();
    Kernel best = new ScalarKernel();
    double bestSpeed = 0;
    for (Kernel kernel : available) {
      boolean agrees = trials.agrees(kernel);
      double speed = agrees ? trials.gigabytesPerSecond(kernel, RACE_NANOS) : 0;
      agrees = agrees && trials.agrees(kernel);
      results.add(new Trial(kernel.name(), agrees, agrees ? speed : 0));
      if (agrees && speed > bestSpeed) {
        best = kernel;
        bestSpeed = speed;
      }
    }
    return new KernelChoice(best, results);
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

  /** Apart, so that nothing names the incubating module before it is known to be there. */
  private static final class VectorWidth {
    static int bitsMax() {
      return Math.min(512, jdk.incubator.vector.ByteVector.SPECIES_PREFERRED.vectorBitSize());
    }
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

    /** The best round counts: the early ones measure the interpreter. */
    double gigabytesPerSecond(Kernel kernel, long nanos) {
      long best = Long.MAX_VALUE;
      long start = System.nanoTime();
      long now = start;
      while (now - start < nanos) {
        kernel.apply(parity, shards, AT, shards, AT, BYTES);
        long then = now;
        now = System.nanoTime();
        best = Math.min(best, now - then);
      }
      return 6.0 * BYTES / best;
    }
  }
}
