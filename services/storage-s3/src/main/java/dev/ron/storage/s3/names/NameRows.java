package dev.ron.storage.s3.names;

import java.util.Optional;
import java.util.function.Predicate;

/** The rows as a decision reads them. */
public interface NameRows {
  Optional<byte[]> row(byte[] key);

  /**
   * Hands over the rows from {@code from} to before {@code to}, in order, until there are no more
   * or one is answered with false.
   */
  void scan(byte[] from, byte[] to, Predicate<Row> each);

  /** Whether a row begins with this. */
  default boolean anyWith(byte[] prefix) {
    boolean[] found = new boolean[1];
    scanAll(
        prefix,
        _ -> {
          found[0] = true;
          return false;
        });
    return found[0];
  }

  default void scanAll(byte[] prefix, Predicate<Row> each) {
    scan(prefix, RowKeys.after(prefix).orElseThrow(), each);
  }

  /** A row with its key. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Row(byte[] key, byte[] value) {}
}
