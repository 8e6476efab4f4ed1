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

  /**
   * What a row says.
   *
   * @param <X> why it says nothing
   */
  @FunctionalInterface
  interface Reader<T, X extends Exception> {
    T read(byte[] row) throws X;
  }

  /** Reads a row, if there is one. */
  static <T, X extends Exception> Optional<T> read(Optional<byte[]> row, Reader<T, X> reader)
      throws X {
    return row.isEmpty() ? Optional.empty() : Optional.of(reader.read(row.get()));
  }

  /**
   * Reads a row of a bucket, setting or current object, which may be remembered until it changes.
   *
   * @param absent whether it may be remembered that there is none
   * @param reader always the same for a row
   */
  default <T, X extends Exception> Optional<T> readKept(
      byte[] key, boolean absent, Reader<T, X> reader) throws X {
    return read(row(key), reader);
  }

  /** A row with its key. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Row(byte[] key, byte[] value) {}
}
