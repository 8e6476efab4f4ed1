package dev.ron.content;

import static dev.ron.content.Objects.stream;

import dev.ron.blake3.Address;
import dev.ron.content.store.SegmentConfig;
import dev.ron.content.store.SegmentStore;
import dev.ron.content.store.VerifyMode;
import dev.ron.kernel.disk.RealDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/**
 * Durable puts beside a file per object, and what verifying costs a read.
 *
 * <p>Contenders take turns, round by round, on the same disk; the median round counts.
 */
public final class ContentSpeed {
  private static final int ROUNDS = 5;
  private static final int WRITERS = 64;
  private static final int SMALL = 4 << 10;
  private static final int LARGE = 1 << 20;

  /** One contender: operations in a second of the clock, its median round, and all of them. */
  public record Figure(String name, double perSecond, double least, double most) {
    static Figure of(String name, double[] rates) {
      double[] sorted = rates.clone();
      Arrays.sort(sorted);
      return new Figure(name, sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "%-44s %10.0f /s  (%.0f to %.0f)", name, perSecond, least, most);
    }
  }

  /** Does its thing once; the number makes each time different. */
  private interface Work {
    void once(long number) throws Exception;
  }

  private record Contender(int threads, Work work) {}

  private ContentSpeed() {}

  public static void main(String[] args) throws Exception {
    Duration each = Duration.ofMillis(args.length > 0 ? Long.parseLong(args[0]) : 4000);
    measure(each).forEach(System.out::println);
  }

  /** Each contender for so long in all, in rounds that take turns. */
  public static List<Figure> measure(Duration perContender) throws Exception {
    Path folder = Files.createTempDirectory("content-speed");
    try (RunningStore always = open(folder.resolve("always"), VerifyMode.ALWAYS);
        RunningStore once = open(folder.resolve("once"), VerifyMode.ONCE)) {
      var contenders = new LinkedHashMap<String, Contender>();
      Path files = Files.createDirectory(folder.resolve("files"));
      contenders.put(
          "put 4 KiB, segments, 64 writers",
          new Contender(WRITERS, n -> always.store().put(stream(object(n))).orThrow()));
      contenders.put(
          "put 4 KiB, a file each, 64 writers", new Contender(WRITERS, n -> file(files, n)));
      contenders.put(
          "put 4 KiB, segments, 1 writer",
          new Contender(1, n -> always.store().put(stream(object(n))).orThrow()));
      contenders.put("put 4 KiB, a file each, 1 writer", new Contender(1, n -> file(files, n)));
      for (int size : new int[] {SMALL, LARGE}) {
        String what = "read " + size / 1024 + " KiB, ";
        Address a = always.store().put(stream(Objects.bytes(size, size))).orThrow().address();
        once.store().put(stream(Objects.bytes(size, size))).orThrow();
        contenders.put(what + "always", new Contender(1, _ -> read(always.store(), a)));
        contenders.put(what + "once", new Contender(1, _ -> read(once.store(), a)));
        contenders.put(
            what + "once, to a file region", new Contender(1, _ -> region(once.store(), a)));
      }
      return run(contenders, perContender.dividedBy(ROUNDS));
    } finally {
      delete(folder);
    }
  }

  private static List<Figure> run(Map<String, Contender> contenders, Duration perRound)
      throws Exception {
    var rates = new LinkedHashMap<String, double[]>();
    for (var contender : contenders.entrySet()) {
      rate(contender.getValue(), perRound); // warms up
      rates.put(contender.getKey(), new double[ROUNDS]);
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (var contender : contenders.entrySet()) {
        rates.get(contender.getKey())[round] = rate(contender.getValue(), perRound);
      }
    }
    var figures = new ArrayList<Figure>();
    rates.forEach((name, of) -> figures.add(Figure.of(name, of)));
    return figures;
  }

  private static double rate(Contender contender, Duration time) throws Exception {
    var done = new LongAdder();
    long begin = System.nanoTime();
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Void> loop =
          () -> {
            while (System.nanoTime() - begin < time.toNanos()) {
              contender.work().once(numbers.getAndIncrement());
              done.increment();
            }
            return null;
          };
      for (Future<Void> end :
          pool.invokeAll(java.util.Collections.nCopies(contender.threads(), loop))) {
        end.get();
      }
    }
    return done.sum() * 1e9 / (System.nanoTime() - begin);
  }

  private static final java.util.concurrent.atomic.AtomicLong numbers =
      new java.util.concurrent.atomic.AtomicLong();

  private static byte[] object(long number) {
    return ByteBuffer.allocate(SMALL).putLong(number).array();
  }

  /**
   * What a store with a file per object does: create, write, fsync, rename; not even the folder is
   * flushed.
   */
  private static void file(Path folder, long number) throws IOException {
    Path part = folder.resolve(number + ".part");
    try (var file =
        FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(object(number)));
      file.force(true);
    }
    Files.move(part, folder.resolve(Long.toString(number)), StandardCopyOption.ATOMIC_MOVE);
  }

  private static void read(SegmentStore store, Address address) throws IOException {
    try (ContentReader reader = store.open(address).orThrow()) {
      while (reader.next() instanceof ContentReader.Step.Bytes) {
        // handed out and forgotten
      }
    }
  }

  /** Up to the point where a transport would take over; the bytes are not touched. */
  private static void region(SegmentStore store, Address address) throws IOException {
    try (ContentReader reader = store.open(address).orThrow()) {
      if (reader.region().isEmpty()) {
        throw new AssertionError("not verified");
      }
    }
  }

  private static RunningStore open(Path folder, VerifyMode verify) throws Exception {
    return RunningStore.open(new RealDisk(), SegmentConfig.in(folder).withVerify(verify));
  }

  private static void delete(Path folder) throws IOException {
    try (var all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
