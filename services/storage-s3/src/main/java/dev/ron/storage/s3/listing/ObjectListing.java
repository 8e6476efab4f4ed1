package dev.ron.storage.s3.listing;

import dev.ron.ordered.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keys in order, those with a delimiter behind the prefix as one common prefix.
 *
 * <p>Where a common prefix is found, the walk seeks behind all of its keys instead of passing them
 * one by one, so a page costs what it shows and not what lies between.
 *
 * <p>Threading: owned by one thread.
 *
 * @param <T> what is known of a key
 */
public final class ObjectListing<T> {
  private final ListRequest request;
  private final List<Entry<T>> entries = new ArrayList<>();
  private byte[] last = {};
  private boolean truncated;

  /** What a page shows. */
  public sealed interface Entry<T> {
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Key<T>(byte[] key, T value) implements Entry<T> {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record CommonPrefix<T>(byte[] prefix) implements Entry<T> {}
  }

  /** Where keys come from: the first at this one or behind it. */
  @FunctionalInterface
  public interface Source<T> {
    /** Null if there is none. */
    Entry.@Nullable Key<T> atOrAfter(byte[] key);
  }

  private ObjectListing(ListRequest request) {
    this.request = request;
  }

  /** Walks from where the request says until the page is full. */
  public static <T> ObjectListing<T> of(ListRequest request, Source<T> source) {
    var listing = new ObjectListing<T>(request);
    listing.walk(source);
    return listing;
  }

  private void walk(Source<T> source) {
    if (request.max() == 0) {
      return;
    }
    byte[] from = start();
    for (Entry.Key<T> next = source.atOrAfter(from);
        next != null && startsWith(next.key(), request.prefix());
        next = source.atOrAfter(from)) {
      if (entries.size() == request.max()) {
        truncated = true;
        return;
      }
      int cut = cut(request, next.key());
      if (cut < 0) {
        entries.add(next);
        last = next.key();
        from = successor(next.key());
      } else {
        byte[] common = Arrays.copyOf(next.key(), cut);
        entries.add(new Entry.CommonPrefix<>(common));
        last = common;
        from = KeyRange.past(common);
      }
    }
  }

  private byte[] start() {
    byte[] after = request.after();
    return after.length == 0 || Arrays.compareUnsigned(after, request.prefix()) < 0
        ? request.prefix()
        : behind(request, after);
  }

  /** Where a page begins that is behind a key, or behind the common prefix that the key has. */
  static byte[] behind(ListRequest request, byte[] after) {
    int cut = startsWith(after, request.prefix()) ? cut(request, after) : -1;
    return cut < 0 ? successor(after) : KeyRange.past(Arrays.copyOf(after, cut));
  }

  /** Where the common prefix of a key ends; negative if it has none. */
  static int cut(ListRequest request, byte[] key) {
    byte[] delimiter = request.delimiter();
    if (delimiter.length == 0) {
      return -1;
    }
    for (int at = request.prefix().length; at + delimiter.length <= key.length; at++) {
      if (Arrays.equals(key, at, at + delimiter.length, delimiter, 0, delimiter.length)) {
        return at + delimiter.length;
      }
    }
    return -1;
  }

  private static byte[] successor(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  private static boolean startsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  public List<Entry<T>> entries() {
    return List.copyOf(entries);
  }

  /** The key or common prefix that the next page begins behind. */
  public byte[] last() {
    return last.clone();
  }

  public boolean isTruncated() {
    return truncated;
  }
}
