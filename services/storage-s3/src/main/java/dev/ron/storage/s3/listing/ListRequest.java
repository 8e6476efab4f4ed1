package dev.ron.storage.s3.listing;

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
}
