package dev.ron.blake3;

import dev.ron.blake3.kernel.Words;
import java.util.HexFormat;

/**
 * The 32 bytes a whole input hashes to: the value of a root.
 *
 * <p>Held as four words rather than as an array, so that it is a value that no caller can change,
 * and compared without a branch on its content, so that a keyed hash can be checked safely.
 *
 * <p>Threading: immutable.
 */
public final class Hash {
  /** The length of a hash, of a chaining value and of a key. */
  public static final int BYTES = 32;

  private static final HexFormat HEX = HexFormat.of();

  private final long a;
  private final long b;
  private final long c;
  private final long d;

  private Hash(byte[] from, int at) {
    a = Words.longWord(from, at);
    b = Words.longWord(from, at + 8);
    c = Words.longWord(from, at + 16);
    d = Words.longWord(from, at + 24);
  }

  public static Hash of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a hash has 32 bytes, this one has " + bytes.length);
    }
    return new Hash(bytes, 0);
  }

  /** Reads 32 bytes at {@code at}. */
  public static Hash at(byte[] bytes, int at) {
    return new Hash(bytes, at);
  }

  /** Reads 64 hex digits of either case; {@link Address#parse} is the one for hostile text. */
  public static Hash ofHex(String hex) {
    return of(HEX.parseHex(hex));
  }

  public byte[] bytes() {
    byte[] bytes = new byte[BYTES];
    write(bytes, 0);
    return bytes;
  }

  void write(byte[] to, int at) {
    Words.longWord(to, at, a);
    Words.longWord(to, at + 8, b);
    Words.longWord(to, at + 16, c);
    Words.longWord(to, at + 24, d);
  }

  /** 64 lowercase digits. */
  public String hex() {
    return HEX.formatHex(bytes());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Hash that
        && ((a ^ that.a) | (b ^ that.b) | (c ^ that.c) | (d ^ that.d)) == 0;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(a);
  }

  @Override
  public String toString() {
    return hex();
  }
}
