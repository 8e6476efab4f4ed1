package dev.ron.bench.store;

import dev.ron.bench.process.CpuTime;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.process.TempFolder;
import dev.ron.bench.process.ToolRun;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.run.Rounds;
import dev.ron.bench.run.Side;
import dev.ron.bench.run.Spread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How fast one small append becomes durable: the floor under every journal that does not group its
 * commits.
 *
 * <p>Both sides append the same number of 4 KiB blocks to a new file in the same folder. Ours
 * writes and then calls {@code force(false)}; the peers open the file so that each write is durable
 * before it returns, which asks the same of the disk. dd tells only its total; fio also tells
 * percentiles.
 *
 * <p>Threading: immutable.
 */
public final class FlushBenchmark implements Benchmark {
  private static final int BLOCK_BYTES = 4096;
  private static final int PROBE_FLUSHES = 100;
  private static final int FLUSHES_MIN = 50;

  /** 400 MB a round is enough, however fast the disk claims to be. */
  private static final int FLUSHES_MAX = 100_000;

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;

  /** "819200 bytes (819 kB, 800 KiB) copied, 0.22892 s, 3.6 MB/s" */
  private static final Pattern DD_REPORT = Pattern.compile("copied, ([0-9.e+-]+) s");

  /** What one side measured in one round; percentiles NaN where the program does not tell them. */
  public record Sample(double perSecond, double perCpuSecond, double p50Millis, double p99Millis) {}

  private final int flushesMax;

  public FlushBenchmark() {
    this(FLUSHES_MAX);
  }

  /** With a lower bound on the work of a round, for tests of everything but the figures. */
  FlushBenchmark(int flushesMax) {
    this.flushesMax = flushesMax;
  }

  @Override
  public String name() {
    return "flush";
  }

  @Override
  public String what() {
    return "one 4 KiB append made durable at a time";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(dd(searchPath), fio(searchPath));
  }

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    try (TempFolder folder = TempFolder.onDisk()) {
      Path file = folder.path().resolve("appended");
      int flushes = flushesWithin(run.sideTime(), append(file, PROBE_FLUSHES));
      Duration limit = run.sideTime().multipliedBy(20).plusSeconds(10);
      run.say(flushes + " flushes a round on " + Files.getFileStore(folder.path()).type());

      Peer dd = dd(run.searchPath());
      Side<Sample> ddSide = () -> dd(dd, file, flushes, limit);
      Rounds<Sample> besideDd =
          run.interleave("flush / dd", () -> append(file, flushes), dd.isPresent() ? ddSide : null);
      run.compare("append-4k-rate", "flushes/s", dd, besideDd, Sample::perSecond);
      run.compare("append-4k-cpu", "flushes/cpu-s", dd, besideDd, Sample::perCpuSecond);

      Peer fio = fio(run.searchPath());
      Side<Sample> fioSide = () -> fio(fio, file, flushes, limit);
      Rounds<Sample> besideFio =
          run.interleave(
              "flush / fio", () -> append(file, flushes), fio.isPresent() ? fioSide : null);
      run.compare("append-4k-rate", "flushes/s", fio, besideFio, Sample::perSecond);
      run.compare("append-4k-p50", "ms", fio, besideFio, Sample::p50Millis);
      run.compare("append-4k-p99", "ms", fio, besideFio, Sample::p99Millis);
    }
  }

  private static Peer dd(SearchPath searchPath) {
    return Peer.find(searchPath, "dd", "coreutils", "--version");
  }

  private static Peer fio(SearchPath searchPath) {
    return Peer.find(searchPath, "fio", "fio", "--version");
  }

  private int flushesWithin(Duration time, Sample probe) {
    double flushes = probe.perSecond() * time.toNanos() / NANOS_PER_SECOND;
    return (int) Math.clamp(flushes, FLUSHES_MIN, flushesMax);
  }

  /** Ours: a block at a time, each durable before the next; the file is new and then deleted. */
  public static Sample append(Path file, int flushes) throws IOException {
    long[] nanos = new long[flushes];
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    CpuTime cpu;
    long start;
    long end;
    try (var channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      CpuTime cpuBefore = CpuTime.own();
      start = System.nanoTime();
      long last = start;
      for (int i = 0; i < flushes; i++) {
        block.rewind();
        while (block.hasRemaining()) {
          channel.write(block);
        }
        channel.force(false);
        long now = System.nanoTime();
        nanos[i] = now - last;
        last = now;
      }
      end = last;
      cpu = CpuTime.own().minus(cpuBefore);
    }
    Files.delete(file);
    Arrays.sort(nanos);
    return new Sample(
        flushes * NANOS_PER_SECOND / (end - start),
        cpu.rate(flushes),
        Spread.percentile(nanos, 0.50) / NANOS_PER_MILLI,
        Spread.percentile(nanos, 0.99) / NANOS_PER_MILLI);
  }

  private static Sample dd(Peer dd, Path file, int flushes, Duration limit)
      throws IOException, InterruptedException {
    ToolRun run =
        ToolRun.succeeding(
            dd.name(),
            List.of(
                dd.command(),
                "if=/dev/zero",
                "of=" + file,
                "bs=" + BLOCK_BYTES,
                "count=" + flushes,
                "oflag=dsync"),
            limit);
    Files.delete(file);
    return new Sample(
        flushes / ddSeconds(run.output()), run.cpu().rate(flushes), Double.NaN, Double.NaN);
  }

  /** dd's own clock starts after its files are open, so starting the program is not counted. */
  public static double ddSeconds(String output) throws IOException {
    Matcher matcher = DD_REPORT.matcher(output);
    if (!matcher.find()) {
      throw new IOException("dd did not say how long it took:\n" + output);
    }
    return Double.parseDouble(matcher.group(1));
  }

  private static Sample fio(Peer fio, Path file, int flushes, Duration limit)
      throws IOException, InterruptedException {
    ToolRun run =
        ToolRun.succeeding(
            fio.name(),
            List.of(
                fio.command(),
                "--name=flush",
                "--filename=" + file,
                "--rw=write",
                "--bs=" + BLOCK_BYTES,
                "--size=" + (long) flushes * BLOCK_BYTES,
                "--sync=dsync",
                "--ioengine=psync",
                // Or it reserves the file first and no write extends it, which is easier work.
                "--fallocate=none",
                "--output-format=json"),
            limit);
    Files.delete(file);
    FioReport report = FioReport.parse(run.output());
    return new Sample(
        report.writesPerSecond(),
        run.cpu().rate(flushes),
        report.p50Nanos() / NANOS_PER_MILLI,
        report.p99Nanos() / NANOS_PER_MILLI);
  }
}
