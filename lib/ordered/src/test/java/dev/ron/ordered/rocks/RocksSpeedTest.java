package dev.ron.ordered.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.ordered.KeyRange;
import dev.ron.ordered.OrderedSettings;
import dev.ron.ordered.OrderedStore;
import dev.ron.ordered.RowBatch;
import dev.ron.ordered.RowCursor;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prints what a store of a million rows does; figures, with no verdict on the time they took. */
@Tag("long")
class RocksSpeedTest {
  private static final int ROWS = 1_000_000;
  private static final int BATCH = 100;
  private static final int NEIGHBOURS = 125_000;

  private final SplittableRandom random = new SplittableRandom(1);
  private long index = -1;

  /** A bucket of eight, then a hashed order, as uploads of many clients come. */
  private static byte[] key(int row) {
    byte[] key = new byte[71];
    ByteBuffer.wrap(key).putLong(row % 8).putLong(0).putLong(row * 0x9e3779b97f4a7c15L).putInt(row);
    return key;
  }

  private byte[] value() {
    byte[] value = new byte[170];
    byte[] chance = new byte[88];
    random.nextBytes(chance);
    System.arraycopy(chance, 0, value, 0, chance.length);
    return value;
  }

  @Test
  void aMillionRows(@TempDir Path folder) throws Exception {
    try (OrderedStore store = RocksOrderedStore.open(folder, OrderedSettings.named("speed"))) {
      long start = System.nanoTime();
      long cpu = cpu();
      fill(store);
      System.out.printf(
          "insert, batches of 100: %,.0f rows/s, %,.0f per CPU second of the caller%n",
          ROWS / seconds(start), ROWS / ((cpu() - cpu) / 1e9));
      start = System.nanoTime();
      store.flush();
      System.out.printf("flush: %.0f ms; %s%n", seconds(start) * 1000, store.usage());
      for (int round = 0; round < 3; round++) {
        start = System.nanoTime();
        cpu = cpu();
        assertThat(count(store, KeyRange.all())).isEqualTo(ROWS);
        System.out.printf(
            "full scan with values: %,.0f rows/s, %,.0f per CPU second%n",
            ROWS / seconds(start), ROWS / ((cpu() - cpu) / 1e9));
      }
      start = System.nanoTime();
      for (int i = 0; i < 100_000; i++) {
        assertThat(store.row(key(random.nextInt(ROWS)))).isPresent();
      }
      System.out.printf("single rows: %,.0f/s%n", 100_000 / seconds(start));
      start = System.nanoTime();
      store.checkpoint(folder.resolve("copy"));
      System.out.printf("checkpoint: %.0f ms%n", seconds(start) * 1000);
    }
  }

  @Test
  void aSeekBeforeDeletedNeighbours(@TempDir Path folder) throws Exception {
    for (boolean asRange : new boolean[] {false, true}) {
      Path place = folder.resolve("range-" + asRange);
      index = -1;
      try (OrderedStore store = RocksOrderedStore.open(place, OrderedSettings.named("speed"))) {
        fill(store);
        store.flush();
        String how = asRange ? "one range" : NEIGHBOURS + " deletes";
        byte[] bucket = Arrays.copyOf(key(3), 16);
        System.out.printf("%s: seek before, rows there: %s%n", how, seek(store, bucket));
        long start = System.nanoTime();
        drop(store, bucket, asRange);
        System.out.printf("%s: took %.0f ms%n", how, seconds(start) * 1000);
        System.out.printf("%s: seek, not flushed: %s%n", how, seek(store, bucket));
        store.flush();
        System.out.printf("%s: seek, flushed: %s%n", how, seek(store, bucket));
        for (int second = 1; second <= 4; second++) {
          LockSupport.parkNanos(1_000_000_000);
          System.out.printf(
              "%s: seek, %d s later: %s; %s%n", how, second, seek(store, bucket), store.usage());
        }
        assertThat(count(store, KeyRange.withPrefix(bucket))).isZero();
        assertThat(count(store, KeyRange.all())).isEqualTo(ROWS - NEIGHBOURS);
      }
    }
  }

  private void drop(OrderedStore store, byte[] bucket, boolean asRange) throws IOException {
    if (asRange) {
      store.apply(new RowBatch().deleteRange(KeyRange.withPrefix(bucket)), ++index);
      return;
    }
    var batch = new RowBatch();
    try (RowCursor cursor = store.scan(KeyRange.withPrefix(bucket))) {
      while (cursor.next()) {
        batch.delete(cursor.key());
        if (batch.size() == BATCH) {
          store.apply(batch, ++index);
          batch = new RowBatch();
        }
      }
    }
    store.apply(batch, ++index);
  }

  private void fill(OrderedStore store) throws IOException {
    for (int row = 0; row < ROWS; ) {
      var batch = new RowBatch();
      for (int i = 0; i < BATCH; i++, row++) {
        batch.put(key(row), value());
      }
      store.apply(batch, ++index);
    }
  }

  /** The median of five, with and without the range's end. */
  private static String seek(OrderedStore store, byte[] bucket) throws IOException {
    return "%.3f ms within the bucket, %.3f ms beyond it"
        .formatted(
            seekMillis(store, KeyRange.withPrefix(bucket)),
            seekMillis(store, KeyRange.from(bucket)));
  }

  private static double seekMillis(OrderedStore store, KeyRange range) throws IOException {
    double[] millis = new double[5];
    for (int i = 0; i < millis.length; i++) {
      try (RowCursor cursor = store.scan(range)) {
        long start = System.nanoTime();
        cursor.next();
        millis[i] = seconds(start) * 1000;
      }
    }
    Arrays.sort(millis);
    return millis[2];
  }

  private static int count(OrderedStore store, KeyRange range) throws IOException {
    int found = 0;
    try (RowCursor cursor = store.scan(range)) {
      while (cursor.next()) {
        found += cursor.value().length == 170 ? 1 : 0;
      }
    }
    return found;
  }

  /** On a busy machine the time on the clock says little. */
  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
