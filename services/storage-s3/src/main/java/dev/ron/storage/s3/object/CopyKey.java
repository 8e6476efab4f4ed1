package dev.ron.storage.s3.object;

import dev.ron.storage.s3.core.ObjectEncryption;
import dev.ron.storage.s3.encryption.ContentKey;
import org.jspecify.annotations.Nullable;

/**
 * What the bytes of a copy are encrypted with.
 *
 * <p>Threading: immutable.
 *
 * @param key null if they are not encrypted
 * @param kind whose key it is, where the copy may have the key of its source instead; null where
 *     all bytes must have this one, as those of an upload's parts
 */
public record CopyKey(@Nullable ContentKey key, ObjectEncryption.@Nullable Kind kind) {
  /** For a part, which has the key of its upload. */
  public static CopyKey of(@Nullable ContentKey key) {
    return new CopyKey(key, null);
  }

  /** Whether the bytes of a source can stay where they are. */
  boolean shares(@Nullable ObjectEncryption source) {
    if (source == null || key == null) {
      return source == null && key == null;
    }
    return source.kind() == kind;
  }
}
