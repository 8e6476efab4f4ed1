package dev.ron.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Durable appends of 1 KiB per second: ours, Artemis' journal and RocksDB's log, by how many
 * threads append at a time.
 *
 * <p>Rounds are interleaved: each round gives every contender its turn, in an order that rotates;
 * only ratios within a round mean anything on a shared machine.
 *
 * <p>Threading: run by one thread.
 */
public final class JournalSpeed {
  private static final int RECORD_BYTES = 1024;
  private static final int ROUNDS = 9;
  private static final int[] APPENDERS = {1, 8, 64};

  /** Artemis' own default without the native library, and a tenth of it for a faster disk. */
  private static final int ARTEMIS_DEFAULT_NANOS = 3_333_333;

  private JournalSpeed() {}

  /** Prints the figures; the argument is the time in milliseconds of all rounds together. */
  public static void main(String[] args) throws Exception {
    long millis = args.length == 0 ? 30_000 : Long.parseLong(args[0]);
    measure(Duration.ofMillis(millis)).forEach(System.out::println);
  }

  public static List<Figure> measure(Duration all) throws Exception {
    Path folder = Files.createTempDirectory("journal-speed");
    List<Contender> contenders = new ArrayList<>();
    try {
      contenders.add(Contenders.ours("ours", Contenders.folder(folder, "ours"), 1 << 20));
      contenders.add(
          Contenders.ours("ours, not grown ahead", Contenders.folder(folder, "plain"), 0));
      contenders.add(
          Contenders.artemis(
              "artemis nio", Contenders.folder(folder, "artemis"), ARTEMIS_DEFAULT_NANOS));
      contenders.add(
          Contenders.artemis(
              "artemis nio, 0.33 ms",
              Contenders.folder(folder, "artemis-fast"),
              ARTEMIS_DEFAULT_NANOS / 10));
      contenders.add(Contenders.rocks("rocksdb", Contenders.folder(folder, "rocksdb")));
      return race(contenders, all);
    } finally {
      for (Contender contender : contenders) {
        contender.end();
      }
      delete(folder);
    }
  }

  private static List<Figure> race(List<Contender> contenders, Duration all) throws Exception {
    int turns = (ROUNDS + 1) * contenders.size() * APPENDERS.length;
    long turnNanos = all.toNanos() / turns;
    List<Figure> figures = new ArrayList<>();
    for (int appenders : APPENDERS) {
      double[][] rates = new double[contenders.size()][ROUNDS];
      // Round -1 warms up and is not counted.
      for (int round = -1; round < ROUNDS; round++) {
        for (int i = 0; i < contenders.size(); i++) {
          int which = (i + round + 1) % contenders.size();
          double rate = turn(contenders.get(which), appenders, turnNanos);
          if (round >= 0) {
            rates[which][round] = rate;
          }
        }
      }
      for (int i = 0; i < contenders.size(); i++) {
        figures.add(Figure.of(contenders.get(i).name(), appenders, rates[i], rates[0]));
      }
    }
    return figures;
  }

  private static double turn(Contender contender, int appenders, long nanos) throws Exception {
    var done = new LongAdder();
    var failure = new AtomicReference<@Nullable Exception>();
    long start = System.nanoTime();
    Thread[] threads = new Thread[appenders];
    Arrays.setAll(
        threads,
        _ -> Thread.ofPlatform().start(() -> appendUntil(contender, start + nanos, done, failure)));
    for (Thread thread : threads) {
      thread.join();
    }
    Exception failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    return done.sum() * 1e9 / (System.nanoTime() - start);
  }

  private static void appendUntil(
      Contender contender, long end, LongAdder done, AtomicReference<@Nullable Exception> failure) {
    byte[] record = new byte[RECORD_BYTES];
    Arrays.fill(record, (byte) 'x');
    try {
      while (System.nanoTime() - end < 0) {
        contender.appendDurably(record);
        done.increment();
      }
    } catch (Exception e) {
      failure.compareAndSet(null, e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
