package dev.ron.bench.compute;

import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.process.TempFolder;
import dev.ron.bench.process.ToolRun;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.run.RepeatedWork;
import dev.ron.bench.run.Rounds;
import dev.ron.bench.run.Side;
import dev.ron.blake3.Blake3;
import dev.ron.blake3.Blake3Hasher;
import dev.ron.blake3.Hash;
import dev.ron.blake3.kernel.HashKernelChoice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How many bytes one thread hashes in a CPU second, beside {@code b3sum} and the JDK's SHA-256.
 *
 * <p>b3sum cannot be given bytes, only files: it opens and maps each one. So ours is measured twice
 * in every round: with the bytes at hand, as a server has them, and opening and reading the same
 * file, which asks the same of both. The file lies in memory and is named in one list as often as
 * fills a turn, so that starting b3sum costs next to nothing. {@code --check} makes it read that
 * list and compare each hash with ours: it prints nothing, and a wrong hash on either side ends the
 * run.
 *
 * <p>Threading: immutable.
 */
public final class Blake3Benchmark implements Benchmark {
  private static final String UNIT = "GB/cpu-s";
  private static final double GIGA = 1e9;

  /** Enough for b3sum to need a quarter of a second, from which its rate can be told. */
  private static final long PROBE_BYTES = 512L << 20;

  private static final int READ_BYTES = 256 << 10;

  /** An input size with the name it has in the results. */
  record Size(String name, int bytes) {}

  static final Size SMALL = new Size("64k", 64 << 10);
  private static final Size LARGE = new Size("16m", 16 << 20);

  /** Gigabytes per CPU second in one round; b3sum has one figure for both. */
  private record Sample(double memory, double file) {}

  private final List<Size> sizes;
  private final Duration turnMax;
  private volatile int sink;

  public Blake3Benchmark() {
    this(List.of(SMALL, LARGE), Duration.ofDays(1));
  }

  /** With a lower bound on the work of a turn, for tests of everything but the figures. */
  Blake3Benchmark(List<Size> sizes, Duration turnMax) {
    this.sizes = List.copyOf(sizes);
    this.turnMax = turnMax;
  }

  @Override
  public String name() {
    return "blake3";
  }

  @Override
  public String what() {
    return "bytes hashed per CPU second by one thread, 64 KiB and 16 MiB at a time";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(b3sum(searchPath), sha256());
  }

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    String kernel = HashKernelChoice.settle();
    run.say("our kernel is " + kernel + ": " + HashKernelChoice.notes());
    for (Size size : sizes) {
      byte[] in = new byte[size.bytes];
      new SplittableRandom(size.bytes).nextBytes(in);
      besideB3sum(run, size.name, kernel, in);
      besideSha256(run, size.name, kernel, in);
    }
  }

  private static Peer b3sum(SearchPath searchPath) {
    return Peer.find(searchPath, "b3sum", "b3sum", "--version");
  }

  private static Peer sha256() {
    return Peer.inThisJvm("sha-256 of the JDK");
  }

  private void besideB3sum(BenchRun run, String size, String kernel, byte[] in)
      throws IOException, InterruptedException {
    Peer b3sum = b3sum(run.searchPath());
    Duration turn = turn(run);
    try (TempFolder folder = TempFolder.inMemory()) {
      Path file = Files.write(folder.path().resolve("hashed"), in);
      var fromMemory = new RepeatedWork(in.length / GIGA, () -> keep(Blake3.hash(in)));
      var reader = new FileReader(file);
      var fromFile = new RepeatedWork(in.length / GIGA, () -> keep(reader.hash()));
      Duration half = turn.dividedBy(2);
      Side<Sample> ours = () -> new Sample(fromMemory.rate(half), fromFile.rate(half));
      Side<Sample> theirs = null;
      if (b3sum.isPresent()) {
        var limit = turn.multipliedBy(20).plusSeconds(30);
        var list = new CheckList(b3sum, file, Blake3.hash(in), in.length, limit);
        double probed = list.rate(Math.max(1, PROBE_BYTES / in.length));
        long times = times(probed, turn, in.length);
        theirs =
            () -> {
              double rate = list.rate(times);
              return new Sample(rate, rate);
            };
      }
      Rounds<Sample> rounds = run.interleave("blake3 " + size + " / b3sum", ours, theirs);
      run.compare(name(size, "in-memory-vs-file", kernel), UNIT, b3sum, rounds, Sample::memory);
      run.compare(name(size, "file-vs-file", kernel), UNIT, b3sum, rounds, Sample::file);
    }
  }

  private void besideSha256(BenchRun run, String size, String kernel, byte[] in)
      throws IOException, InterruptedException {
    MessageDigest sha256 = digest();
    Duration turn = turn(run);
    var ours = new RepeatedWork(in.length / GIGA, () -> keep(Blake3.hash(in)));
    var theirs = new RepeatedWork(in.length / GIGA, () -> sink = sha256.digest(in)[0]);
    Rounds<Double> rounds =
        run.interleave(
            "blake3 " + size + " / sha-256", () -> ours.rate(turn), () -> theirs.rate(turn));
    run.compare(name(size, "in-memory-both", kernel), UNIT, sha256(), rounds, rate -> rate);
  }

  /** The kernel belongs to the name: figures of two kernels are not figures of one thing. */
  private static String name(String size, String from, String kernel) {
    return size + "-" + from + "/" + kernel;
  }

  private Duration turn(BenchRun run) {
    return run.sideTime().compareTo(turnMax) < 0 ? run.sideTime() : turnMax;
  }

  private void keep(Hash hash) {
    sink = hash.hashCode();
  }

  /** How often the file must be hashed at this rate to take about as long as a turn of ours. */
  private static long times(double gigabytesPerCpuSecond, Duration turn, int bytes) {
    // A machine too busy to tell the rate still gets a round of some length.
    double rate = Double.isNaN(gigabytesPerCpuSecond) ? 1 : gigabytesPerCpuSecond;
    return Math.max(1, Math.round(rate * turn.toNanos() / bytes));
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Ours as b3sum has to do it: open the file, read it through, close it. */
  private static final class FileReader {
    private final Path file;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
    private final Blake3Hasher hasher = new Blake3Hasher();

    FileReader(Path file) {
      this.file = file;
    }

    Hash hash() throws IOException {
      hasher.reset();
      try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
        while (channel.read(buffer.clear()) > 0) {
          hasher.update(buffer.flip());
        }
      }
      return hasher.hash();
    }
  }

  /** One run of b3sum over a list that names the file so many times. */
  private record CheckList(Peer b3sum, Path file, Hash hash, int bytes, Duration limit) {
    double rate(long times) throws IOException, InterruptedException {
      Path list = file.resolveSibling("list");
      String line = hash + "  " + file + "\n";
      try (var lines = Files.newBufferedWriter(list)) {
        for (long i = 0; i < times; i++) {
          lines.write(line);
        }
      }
      ToolRun run =
          ToolRun.succeeding(
              b3sum.name(),
              List.of(b3sum.command(), "--num-threads", "1", "--check", "--quiet", list.toString()),
              limit);
      return run.cpu().rate((double) times * bytes / GIGA);
    }
  }
}
