package dev.ron.storage.api;

import org.jspecify.annotations.Nullable;

/**
 * The body of a beginning or completing request; everything in it may be left out.
 *
 * <p>Threading: immutable.
 *
 * @param address what the whole object is, so that anything else is refused
 * @param size how many bytes it has
 */
public record UploadRequest(@Nullable String address, @Nullable Long size) {
  public static final UploadRequest NONE = new UploadRequest(null, null);
}
