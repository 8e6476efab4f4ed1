package dev.ron.blake3;

/**
 * The 32 bytes of a node that is not the root. A type of its own, because taking one for a {@link
 * Hash} would let a part of an input pass for the whole.
 *
 * <p>Threading: immutable.
 */
public record ChainingValue(Hash value) {
  static ChainingValue at(byte[] bytes, int at) {
    return new ChainingValue(Hash.at(bytes, at));
  }

  public byte[] bytes() {
    return value.bytes();
  }

  void write(byte[] to, int at) {
    value.write(to, at);
  }

  @Override
  public String toString() {
    return value.hex();
  }
}
