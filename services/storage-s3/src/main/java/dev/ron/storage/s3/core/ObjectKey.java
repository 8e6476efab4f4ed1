package dev.ron.storage.s3.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The name of an object in its bucket: 1 to 1,024 bytes of UTF-8, in the order of its bytes.
 *
 * <p>It is never taken for a path: {@code ../x}, {@code a//b} and {@code .} are names like others.
 *
 * <p>Threading: immutable.
 */
public final class ObjectKey implements Comparable<ObjectKey> {
  public static final int BYTES_MAX = 1024;

  private final byte[] bytes;

  private ObjectKey(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Empty if it is no key: nothing, too long, or not UTF-8. */
  public static Optional<ObjectKey> of(byte[] bytes) {
    if (bytes.length == 0 || bytes.length > BYTES_MAX) {
      return Optional.empty();
    }
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
    } catch (CharacterCodingException _) {
      return Optional.empty();
    }
    return Optional.of(new ObjectKey(bytes.clone()));
  }

  public static Optional<ObjectKey> of(String text) {
    return of(text.getBytes(UTF_8));
  }

  /** A key that was checked before it was stored. */
  public static ObjectKey stored(byte[] bytes) {
    return of(bytes).orElseThrow(() -> new IllegalStateException("a row with no key in it"));
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  public boolean startsWith(byte[] prefix) {
    return bytes.length >= prefix.length
        && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
  }

  @Override
  public int compareTo(ObjectKey other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ObjectKey key && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** The text. */
  @Override
  public String toString() {
    return new String(bytes, UTF_8);
  }
}
