package dev.ron.blake3.kernel;

import dev.ron.blake3.Blake3Hasher;
import dev.ron.blake3.Mode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/**
 * How fast each kernel hashes, beside {@code b3sum} and SHA-256.
 *
 * <p>Contenders take turns, round by round, so that a busy neighbour slows all of them. Rates are
 * per second of CPU time, which a neighbour takes none of; the median round counts.
 */
public final class Blake3Speed {
  /** One contender at one size. */
  public record Figure(String contender, int bytes, double gigabytesPerCpuSecond) {}

  private static final int[] SIZES = {4 << 10, 64 << 10, 16 << 20};
  private static final int ROUNDS = 9;

  /** Long enough for the just-in-time compiler to finish with a vector kernel. */
  private static final Duration WARM_UP = Duration.ofMillis(1200);

  /** How much b3sum is given at once, so that starting it does not count. */
  private static final long B3SUM_BYTES = 1L << 29;

  /** Hashes about so long; answers bytes per nanosecond of CPU time. */
  private interface Contender {
    double run(Duration time) throws IOException, InterruptedException;
  }

  private Blake3Speed() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Duration perCase = Duration.ofMillis(args.length > 0 ? Long.parseLong(args[0]) : 500);
    for (Figure figure : measure(perCase)) {
      System.out.printf(
          "%-9s %9d bytes  %6.2f GB per CPU second%n",
          figure.contender(), figure.bytes(), figure.gigabytesPerCpuSecond());
    }
  }

  /** Measures every contender at every size, for so long each, in rounds that take turns. */
  public static List<Figure> measure(Duration perCase) throws IOException, InterruptedException {
    List<Figure> figures = new ArrayList<>();
    for (int size : SIZES) {
      Path file = Files.createTempFile("blake3-speed", null);
      try {
        byte[] in = new byte[size];
        new Random(size).nextBytes(in);
        Files.write(file, in);
        figures.addAll(measure(in, contenders(in, file), perCase.dividedBy(ROUNDS)));
      } finally {
        Files.delete(file);
      }
    }
    return figures;
  }

  private static List<Figure> measure(
      byte[] in, Map<String, Contender> contenders, Duration perRound)
      throws IOException, InterruptedException {
    Map<String, List<Double>> rates = new LinkedHashMap<>();
    for (var contender : contenders.entrySet()) {
      contender.getValue().run(WARM_UP);
      rates.put(contender.getKey(), new ArrayList<>());
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (var contender : contenders.entrySet()) {
        rates.get(contender.getKey()).add(contender.getValue().run(perRound));
      }
    }
    List<Figure> figures = new ArrayList<>();
    rates.forEach(
        (name, of) -> {
          Collections.sort(of);
          figures.add(new Figure(name, in.length, of.get(of.size() / 2)));
        });
    return figures;
  }

  private static Map<String, Contender> contenders(byte[] in, Path file) {
    Map<String, Contender> contenders = new LinkedHashMap<>();
    for (String name : List.of("scalar", "vector4", "vector8", "vector16", "native")) {
      Optional<? extends HashKernel> found = HashKernelChoice.find(name);
      found.ifPresent(
          kernel -> {
            Blake3Hasher hasher = new Blake3Hasher(Mode.PLAIN, 0, kernel);
            contenders.put(name, inJava(in, () -> hasher.reset().update(in).hash().hashCode()));
          });
    }
    contenders.put("sha-256", inJava(in, () -> sha256(in)));
    if (b3sum(file, 1).isPresent()) {
      contenders.put("b3sum", _ -> b3sumRate(in, file));
    }
    return contenders;
  }

  private static int sha256(byte[] in) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(in)[0];
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static volatile int sink;

  private static Contender inJava(byte[] in, IntSupplier hash) {
    var threads = ManagementFactory.getThreadMXBean();
    return time -> {
      long begin = threads.getCurrentThreadCpuTime();
      long bytes = 0;
      long spent;
      do {
        // Reading the CPU clock is a system call: not more often than every quarter megabyte.
        for (int done = 0; done < 1 << 18; done += in.length) {
          sink = hash.getAsInt();
          bytes += in.length;
        }
        spent = threads.getCurrentThreadCpuTime() - begin;
      } while (spent < time.toNanos());
      return (double) bytes / spent;
    };
  }

  private static double b3sumRate(byte[] in, Path file) {
    int files = (int) Math.min(B3SUM_BYTES / in.length, 10_000);
    double start = b3sum(file, 1).orElseThrow();
    double whole = b3sum(file, files + 1).orElseThrow();
    return (double) files * in.length / 1e9 / (whole - start);
  }

  /** CPU seconds that b3sum takes for so many times the file; empty if it is not installed. */
  private static Optional<Double> b3sum(Path file, int times) {
    String script =
        "TIMEFORMAT='%3U %3S'; time b3sum --num-threads 1 $(yes \"$0\" | head -n $1) >/dev/null";
    try {
      Process process =
          new ProcessBuilder("bash", "-c", script, file.toString(), Integer.toString(times))
              .redirectErrorStream(true)
              .start();
      String answer = process.inputReader().lines().collect(Collectors.joining(" ")).strip();
      if (process.waitFor() != 0) {
        return Optional.empty();
      }
      int space = answer.indexOf(' ');
      double user = Double.parseDouble(answer.substring(0, space));
      double system = Double.parseDouble(answer.substring(space + 1));
      return Optional.of(user + system);
    } catch (IOException _) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while b3sum ran", e);
    }
  }
}
