package dev.ron.bench.compute;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.run.RepeatedWork;
import dev.ron.bench.run.Rounds;
import dev.ron.bench.run.Side;
import dev.ron.erasure.ReedSolomon;
import dev.ron.erasure.StripeLayout;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How much data one thread gives its parity in a CPU second: 6+3, one stripe of 64 KiB units,
 * beside ISA-L and a plain loop.
 *
 * <p>The stripe is the same again and again and stays in the cache, as the stripe an encoder has
 * just received does. ISA-L works on aligned memory outside the heap, which suits it best; ours is
 * measured on arrays, which suit it best, and on memory outside the heap too. Before anything is
 * timed all of them must give the same parity.
 *
 * <p>Threading: immutable.
 */
public final class ErasureBenchmark implements Benchmark {
  private static final int DATA = 6;
  private static final int PARITY = 3;
  private static final int UNIT_BYTES = StripeLayout.UNIT_BYTES;
  private static final double GIGABYTES = (double) DATA * UNIT_BYTES / 1e9;
  private static final int CACHE_LINE_BYTES = 64;
  private static final String UNIT = "GB/cpu-s";

  /** Gigabytes of data per CPU second in one round; a peer has one figure for both. */
  private record Sample(double arrays, double segments) {}

  private final Duration turnMax;

  public ErasureBenchmark() {
    this(Duration.ofDays(1));
  }

  /** With a lower bound on the work of a turn, for tests of everything but the figures. */
  ErasureBenchmark(Duration turnMax) {
    this.turnMax = turnMax;
  }

  @Override
  public String name() {
    return "erasure";
  }

  @Override
  public String what() {
    return "data encoded 6+3 per CPU second by one thread, 64 KiB units";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(IsalEncoder.find(searchPath), plainLoop());
  }

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    Duration turn = run.sideTime().compareTo(turnMax) < 0 ? run.sideTime() : turnMax;
    var code = ReedSolomon.of(DATA, PARITY);
    try (Arena arena = Arena.ofConfined()) {
      besideIsal(run, code, turn, arena);
    }
    besidePlainLoop(run, code, turn);
  }

  private static Peer plainLoop() {
    return Peer.inThisJvm("plain loop");
  }

  private static void besideIsal(BenchRun run, ReedSolomon code, Duration turn, Arena arena)
      throws IOException, InterruptedException {
    byte[][] arrays = stripe();
    MemorySegment[] segments = aligned(arrays, arena);
    var onArrays = new RepeatedWork(GIGABYTES, () -> code.encode(arrays, 0, UNIT_BYTES));
    var onSegments = new RepeatedWork(GIGABYTES, () -> code.encode(segments));
    onArrays.work().once();
    onSegments.work().once();
    requireSameParity("memory outside the heap", arrays, segments);
    Duration half = turn.dividedBy(2);
    Side<Sample> ours = () -> new Sample(onArrays.rate(half), onSegments.rate(half));

    Peer isal = IsalEncoder.find(run.searchPath());
    Side<Sample> theirs = null;
    if (isal.isPresent()) {
      MemorySegment[] own = aligned(stripe(), arena);
      var encoder = new IsalEncoder(isal, DATA, own, arena);
      encoder.encode();
      requireSameParity(isal.name(), arrays, own);
      var work = new RepeatedWork(GIGABYTES, encoder::encode);
      theirs =
          () -> {
            double rate = work.rate(turn);
            return new Sample(rate, rate);
          };
    }
    Rounds<Sample> rounds = run.interleave("erasure / isa-l", ours, theirs);
    run.compare(name("arrays", code), UNIT, isal, rounds, Sample::arrays);
    run.compare(name("segments", code), UNIT, isal, rounds, Sample::segments);
  }

  private static void besidePlainLoop(BenchRun run, ReedSolomon code, Duration turn)
      throws IOException, InterruptedException {
    byte[][] arrays = stripe();
    byte[][] own = stripe();
    var plain = new PlainParity(DATA, PARITY);
    code.encode(arrays, 0, UNIT_BYTES);
    plain.encode(own);
    requireSameParity("the plain loop", arrays, aligned(own, Arena.ofAuto()));
    var ours = new RepeatedWork(GIGABYTES, () -> code.encode(arrays, 0, UNIT_BYTES));
    var theirs = new RepeatedWork(GIGABYTES, () -> plain.encode(own));
    Rounds<Double> rounds =
        run.interleave("erasure / plain loop", () -> ours.rate(turn), () -> theirs.rate(turn));
    run.compare(name("arrays", code), UNIT, plainLoop(), rounds, rate -> rate);
  }

  /** The kernel belongs to the name: figures of two kernels are not figures of one thing. */
  private static String name(String memory, ReedSolomon code) {
    return "encode-6+3-" + memory + "/" + code.kernelName();
  }

  /** Random data and empty parity, the same for everyone. */
  private static byte[][] stripe() {
    byte[][] shards = new byte[DATA + PARITY][UNIT_BYTES];
    var random = new SplittableRandom(0x11d);
    for (int shard = 0; shard < DATA; shard++) {
      random.nextBytes(shards[shard]);
    }
    return shards;
  }

  private static MemorySegment[] aligned(byte[][] shards, Arena arena) {
    return Arrays.stream(shards)
        .map(MemorySegment::ofArray)
        .map(shard -> arena.allocate(shard.byteSize(), CACHE_LINE_BYTES).copyFrom(shard))
        .toArray(MemorySegment[]::new);
  }

  private static void requireSameParity(String who, byte[][] arrays, MemorySegment[] segments)
      throws IOException {
    for (int shard = DATA; shard < DATA + PARITY; shard++) {
      if (!Arrays.equals(arrays[shard], segments[shard].toArray(JAVA_BYTE))) {
        throw new IOException("ours and " + who + " disagree about shard " + shard);
      }
    }
  }
}
