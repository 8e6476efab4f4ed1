package dev.ron.ordered;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes that are applied together, in the order they were added.
 *
 * <p>Keys and values are not copied: the caller leaves them alone until the batch was applied. A
 * key, a value or a batch past its limit is a mistake of the caller and refused when it is added.
 *
 * <p>Threading: owned by the caller.
 */
public final class RowBatch {
  /** A batch is held in memory twice while it is applied. */
  public static final int BYTES_MAX = 64 << 20;

  /** What an entry of the list costs beside its bytes, so that deletes are bounded too. */
  private static final int CHANGE_BYTES = 32;

  private final List<Change> changes = new ArrayList<>();
  private long bytes;
  private int deletes;

  /** The value and the end are null where the change has none. */
  private static final class Change {
    private final byte[] key;
    private final byte @Nullable [] value;
    private final byte @Nullable [] end;

    private Change(byte[] key, byte @Nullable [] value, byte @Nullable [] end) {
      this.key = key;
      this.value = value;
      this.end = end;
    }
  }

  /**
   * Gets the changes of a batch one by one.
   *
   * @param <X> what a change may fail with
   */
  public interface Target<X extends Exception> {
    void put(byte[] key, byte[] value) throws X;

    void delete(byte[] key) throws X;

    void deleteRange(byte[] from, byte[] to) throws X;
  }

  public RowBatch put(byte[] key, byte[] value) {
    if (value.length > OrderedStore.VALUE_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a value of %d bytes where %d are allowed"
              .formatted(value.length, OrderedStore.VALUE_BYTES_MAX));
    }
    return add(new Change(checked(key), value, null), key.length + value.length);
  }

  public RowBatch delete(byte[] key) {
    add(new Change(checked(key), null, null), key.length);
    deletes++;
    return this;
  }

  /** One change however many rows there are: the way to drop a bucket. */
  public RowBatch deleteRange(KeyRange range) {
    return range.isEmpty()
        ? this
        : add(new Change(range.from(), null, range.to()), range.from().length + range.to().length);
  }

  private RowBatch add(Change change, int size) {
    if (bytes + size + CHANGE_BYTES > BYTES_MAX) {
      throw new IllegalArgumentException(
          "a batch of more than %d bytes, in %d changes".formatted(BYTES_MAX, changes.size()));
    }
    bytes += size + CHANGE_BYTES;
    changes.add(change);
    return this;
  }

  /** The key, if it can be a row's. */
  public static byte[] checked(byte[] key) {
    if (key.length == 0 || key.length > OrderedStore.KEY_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a key of %d bytes where 1 to %d are allowed"
              .formatted(key.length, OrderedStore.KEY_BYTES_MAX));
    }
    return key;
  }

  public <X extends Exception> void into(Target<X> target) throws X {
    for (Change change : changes) {
      if (change.value != null) {
        target.put(change.key, change.value);
      } else if (change.end != null) {
        target.deleteRange(change.key, change.end);
      } else {
        target.delete(change.key);
      }
    }
  }

  /** Rows deleted one by one, which leave a mark each. */
  public int deletes() {
    return deletes;
  }

  public int size() {
    return changes.size();
  }
}
