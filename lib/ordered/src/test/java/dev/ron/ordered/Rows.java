package dev.ron.ordered;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Rows as texts and numbers, and a window of them that tells which batches were applied. */
public final class Rows {
  /** Batch i puts the rows of i and deletes those of i - WINDOW. */
  private static final int WINDOW = 100;

  private static final int ROWS_A_BATCH = 3;

  private Rows() {}

  public static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  public static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  public static List<String> keys(OrderedStore store, KeyRange range) throws IOException {
    try (RowCursor cursor = store.scan(range)) {
      return keys(cursor);
    }
  }

  public static List<String> keys(RowCursor cursor) throws IOException {
    var keys = new ArrayList<String>();
    while (cursor.next()) {
      keys.add(text(cursor.key()));
    }
    return keys;
  }

  public static RowBatch window(long index) {
    var batch = new RowBatch();
    for (int i = 0; i < ROWS_A_BATCH; i++) {
      batch.put(key(index, i), value(index, i));
      if (index >= WINDOW) {
        batch.delete(key(index - WINDOW, i));
      }
    }
    return batch;
  }

  /** Scattered, so that a batch's rows lie far apart. */
  private static byte[] key(long index, int i) {
    return ByteBuffer.allocate(17)
        .put((byte) i)
        .putLong(Long.reverse(index * 0x9e3779b97f4a7c15L))
        .putLong(index)
        .array();
  }

  private static byte[] value(long index, int i) {
    byte[] value = new byte[150 + (int) (index % 97)];
    return ByteBuffer.wrap(value).putLong(index).putInt(i).array();
  }

  /** Exactly the rows that all batches up to the index leave. */
  public static void assertWindow(OrderedStore store, long index) throws IOException {
    int found = 0;
    try (RowCursor cursor = store.scan(KeyRange.all())) {
      while (cursor.next()) {
        int i = cursor.key()[0];
        long of = ByteBuffer.wrap(cursor.key()).getLong(9);
        assertThat(of).as("a row at index %d", index).isBetween(index - WINDOW + 1, index);
        assertThat(cursor.key()).isEqualTo(key(of, i));
        assertThat(cursor.value()).isEqualTo(value(of, i));
        found++;
      }
    }
    long batches = Math.min(WINDOW, index + 1);
    assertThat(found).as("rows at index %d", index).isEqualTo((int) batches * ROWS_A_BATCH);
  }

  public static void await(BooleanSupplier condition) {
    long limit = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited for " + Duration.ofMinutes(1)).isLessThan(limit);
      LockSupport.parkNanos(1_000_000);
    }
  }
}
