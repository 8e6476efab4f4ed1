package dev.ron.storage.wire;

import org.jspecify.annotations.Nullable;

/**
 * The body of a beginning or completing request; everything in it may be left out.
 *
 * <p>Threading: immutable.
 *
 * @param address what the whole object is, so that anything else is refused
 * @param size how many bytes it has
 */
public record UploadWish(@Nullable String address, @Nullable Long size) {
  public static final UploadWish NONE = new UploadWish(null, null);
}
