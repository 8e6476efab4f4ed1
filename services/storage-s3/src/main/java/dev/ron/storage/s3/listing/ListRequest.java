package dev.ron.storage.s3.listing;

import dev.ron.storage.s3.core.ObjectKey;
import java.util.Optional;

/**
 * What part of a bucket a listing shows.
 *
 * <p>Threading: immutable.
 *
 * @param prefix keys that begin so
 * @param delimiter keys that have it behind the prefix become one common prefix; empty for none
 * @param after keys behind this; a common prefix that it begins with is passed over too
 * @param max keys and common prefixes together
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ListRequest(byte[] prefix, byte[] delimiter, byte[] after, int max) {
  public static final int MAX = 1000;

  /**
   * The key that the page may begin in the middle of: {@code after}, if the listing shows it by
   * itself. One without the prefix is another's to list, and one in a common prefix is passed over
   * with it; the page begins behind such a key, and shows none of its versions or uploads.
   */
  Optional<ObjectKey> begun() {
    return ObjectKey.of(after)
        .filter(key -> key.startsWith(prefix) && ObjectListing.cut(this, after) < 0);
  }
}
