package dev.ron.storage.s3.listing;

import dev.ron.ordered.KeyRange;
import dev.ron.ordered.RowCursor;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.names.RowKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a bucket as a source of {@link ObjectListing}, from one snapshot.
 *
 * <p>Threading: owned by one thread.
 */
final class ObjectRows implements ObjectListing.Source<ObjectVersion>, AutoCloseable {
  private final byte[] table;
  private final RowCursor cursor;
  private boolean onRow;
  private byte @Nullable [] before;

  ObjectRows(Names names, long bucket) throws IOException {
    this.table = RowKeys.objects(bucket);
    this.cursor = names.scan(KeyRange.withPrefix(table));
  }

  /** The next row is a step away where keys follow each other, and a seek elsewhere. */
  @Override
  public ObjectListing.Entry.@Nullable Key<ObjectVersion> atOrAfter(byte[] key) {
    byte[] wanted = Arrays.copyOf(table, table.length + key.length);
    System.arraycopy(key, 0, wanted, table.length, key.length);
    try {
      byte[] last = before;
      boolean follows =
          onRow
              && last != null
              && wanted.length == last.length + 1
              && wanted[last.length] == 0
              && Arrays.equals(wanted, 0, last.length, last, 0, last.length);
      onRow = follows ? cursor.next() : cursor.seek(wanted);
      if (!onRow) {
        return null;
      }
      byte[] row = cursor.key();
      before = row;
      return new ObjectListing.Entry.Key<>(
          Arrays.copyOfRange(row, table.length, row.length), Names.version(cursor.value()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    cursor.close();
  }
}
