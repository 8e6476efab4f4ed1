package dev.ron.erasure;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gigabytes of data per second for 6+3 on one core: every kernel, ISA-L where it is installed.
 *
 * <p>Rounds are interleaved: each round runs every case once, and only ratios within a round mean
 * anything on a shared machine. The working set is one stripe (576 KiB), as a stripe encoder has
 * it.
 *
 * <p>Threading: run by one thread.
 */
public final class ErasureSpeed {
  private static final int K = 6;
  private static final int M = 3;
  private static final int BYTES = StripeLayout.UNIT_BYTES;
  private static final int ROUNDS = 9;

  /** Reading the CPU clock is a system call; a call of the fastest case takes about 20 µs. */
  private static final int CALLS_PER_LOOK = 10;

  private static final ShardSet LOST = ShardSet.of(0, 3, 5);
  private static final ShardSet PRESENT = ShardSet.range(0, K + M).minus(LOST);

  private ErasureSpeed() {}

  /** Prints the figures; the one argument is the time per case in milliseconds. */
  public static void main(String[] args) {
    long millis = args.length == 0 ? 2000 : Long.parseLong(args[0]);
    if (Isal.installed().isEmpty()) {
      System.out.println("ISA-L is NOT INSTALLED (libisal.so.2): no ratios");
    }
    KernelChoice choice = KernelChoice.atStart();
    System.out.println("chosen at start: " + choice.name() + " " + choice.trials());
    measure(Duration.ofMillis(millis)).forEach(System.out::println);
  }

  public static List<Figure> measure(Duration perCase) {
    try (Arena arena = Arena.ofConfined()) {
      List<Figure> figures = new ArrayList<>();
      for (String work : List.of("encode", "reconstruct 3", "repair 1")) {
        figures.addAll(race(cases(work, arena), perCase));
      }
      return figures;
    }
  }

  /** The first case is the yardstick if it is ISA-L. */
  private static List<Figure> race(Map<String, Runnable> cases, Duration perCase) {
    List<String> names = List.copyOf(cases.keySet());
    double[][] rates = new double[names.size()][ROUNDS];
    long roundNanos = perCase.toNanos() / (2 * ROUNDS);
    // As long again to warm up, so that the compiler is through before the first round counts.
    for (Runnable run : cases.values()) {
      rate(run, roundNanos * ROUNDS);
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < names.size(); i++) {
        rates[i][round] = rate(cases.get(names.get(i)), roundNanos);
      }
    }
    double[] yardstick = names.getFirst().endsWith("isa-l") ? rates[0] : new double[0];
    List<Figure> figures = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      figures.add(Figure.of(names.get(i), rates[i], yardstick));
    }
    return figures;
  }

  private static Map<String, Runnable> cases(String work, Arena arena) {
    Map<String, Runnable> cases = new LinkedHashMap<>();
    byte[][] shards = Samples.encoded(K, M, BYTES, 1);
    CodingMatrix matrix = new CodingMatrix(K, M);
    ShardSet wanted = work.equals("repair 1") ? ShardSet.of(3) : LOST;
    Combination combination =
        work.equals("encode") ? matrix.parity() : matrix.recovery(PRESENT, wanted);
    Optional<Isal> isal = Isal.installed();
    MemorySegment[] aligned = aligned(shards, arena);
    isal.ifPresent(
        library ->
            cases.put(
                work + " isa-l",
                library.prepare(
                    combination.columns(),
                    combination.rows(),
                    combination.coefficients,
                    pick(aligned, combination.from),
                    pick(aligned, combination.into))));
    for (Kernel kernel : KernelChoice.available()) {
      ReedSolomon code = new ReedSolomon(K, M, kernel);
      byte[][] own = Samples.copy(shards);
      MemorySegment[] segments = aligned(shards, arena);
      boolean encodes = work.equals("encode");
      cases.put(
          work + " " + kernel.name(),
          encodes
              ? () -> code.encode(own, 0, BYTES)
              : () -> code.reconstruct(own, PRESENT, wanted, 0, BYTES));
      cases.put(
          work + " " + kernel.name() + " off heap",
          encodes
              ? () -> code.encode(segments)
              : () -> code.reconstruct(segments, PRESENT, wanted));
    }
    return cases;
  }

  /** By this thread's CPU time, so that a neighbour's turn on the core is not counted. */
  private static double rate(Runnable run, long nanos) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    long calls = 0;
    long elapsed;
    do {
      for (int i = 0; i < CALLS_PER_LOOK; i++) {
        run.run();
      }
      calls += CALLS_PER_LOOK;
      elapsed = threads.getCurrentThreadCpuTime() - start;
    } while (elapsed < nanos);
    return (double) calls * K * BYTES / elapsed;
  }

  private static MemorySegment[] aligned(byte[][] shards, Arena arena) {
    MemorySegment[] segments = new MemorySegment[shards.length];
    Arrays.setAll(
        segments,
        i -> arena.allocate(shards[i].length, 64).copyFrom(MemorySegment.ofArray(shards[i])));
    return segments;
  }

  private static MemorySegment[] pick(MemorySegment[] segments, int[] which) {
    return Arrays.stream(which).mapToObj(i -> segments[i]).toArray(MemorySegment[]::new);
  }
}
