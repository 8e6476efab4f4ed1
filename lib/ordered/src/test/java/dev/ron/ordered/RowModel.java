package dev.ron.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** A plain sorted map that gets the same changes as a store, from a seed. */
final class RowModel {
  private final RandomGenerator random;
  private final TreeMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);

  RowModel(RandomGenerator random) {
    this.random = random;
  }

  /** Applied to the model already. */
  RowBatch batch(int changes) {
    var batch = new RowBatch();
    for (int i = 0; i < changes; i++) {
      byte[] key = key();
      switch (random.nextInt(20)) {
        case 0 -> {
          KeyRange range = range();
          batch.deleteRange(range);
          if (!range.isEmpty()) {
            rows.subMap(range.from(), range.to()).clear();
          }
        }
        case 1, 2, 3, 4, 5 -> {
          batch.delete(key);
          rows.remove(key);
        }
        default -> {
          byte[] value = new byte[random.nextInt(300)];
          random.nextBytes(value);
          batch.put(key, value);
          rows.put(key, value);
        }
      }
    }
    return batch;
  }

  private KeyRange range() {
    return switch (random.nextInt(3)) {
      case 0 -> KeyRange.withPrefix(key());
      case 1 -> KeyRange.of(key(), key());
      default -> KeyRange.withPrefix(Arrays.copyOf(key(), 1)).after(key());
    };
  }

  /** Few distinct bytes, the extremes among them, so that keys are prefixes of each other. */
  private byte[] key() {
    byte[] key = new byte[1 + random.nextInt(5)];
    byte[] alphabet = {0, 1, 'a', 127, -128, -1};
    for (int i = 0; i < key.length; i++) {
      key[i] = alphabet[random.nextInt(alphabet.length)];
    }
    return key;
  }

  /** A few moves of one cursor, each checked. */
  void compareAPlace(OrderedStore store) throws IOException {
    byte[] any = key();
    assertThat(store.row(any).orElse(null)).isEqualTo(rows.get(any));
    KeyRange range = range();
    TreeMap<byte[], byte[]> within = new TreeMap<>(Arrays::compareUnsigned);
    if (!range.isEmpty()) {
      within.putAll(rows.subMap(range.from(), range.to()));
    }
    try (RowCursor cursor = store.scan(range)) {
      Map.Entry<byte[], byte[]> expected = within.firstEntry();
      check(cursor, cursor.next(), expected);
      for (int i = 0; i < 8; i++) {
        byte[] key = key();
        boolean found;
        switch (random.nextInt(4)) {
          case 0 -> {
            found = cursor.seek(key);
            expected = within.ceilingEntry(key);
          }
          case 1 -> {
            found = cursor.seekPast(key);
            expected = within.ceilingEntry(KeyRange.past(key));
          }
          case 2 -> {
            found = cursor.seekBefore(key);
            expected = within.lowerEntry(key);
          }
          default -> {
            found = cursor.next();
            expected = expected == null ? null : within.higherEntry(expected.getKey());
          }
        }
        check(cursor, found, expected);
      }
    }
  }

  private static void check(RowCursor cursor, boolean found, Map.Entry<byte[], byte[]> expected) {
    assertThat(found).isEqualTo(expected != null);
    if (expected != null) {
      assertThat(cursor.key()).isEqualTo(expected.getKey());
      assertThat(cursor.value()).isEqualTo(expected.getValue());
    }
  }

  void compareAll(OrderedStore store) throws IOException {
    try (RowCursor cursor = store.scan(KeyRange.all())) {
      for (Map.Entry<byte[], byte[]> row : rows.entrySet()) {
        check(cursor, cursor.next(), row);
      }
      assertThat(cursor.next()).isFalse();
    }
  }
}
