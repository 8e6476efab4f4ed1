package dev.ron.blake3.bao;

import dev.ron.blake3.HashTree;

/**
 * How finely a slice is cut: the smallest piece of input that it can prove.
 *
 * <p>Threading: immutable.
 */
public enum Grain {
  /** 1 KiB, the format of bao. */
  CHUNK(HashTree.CHUNK_BYTES),
  /** 64 KiB: a sixty-fourth of the parents, for clients that read much. */
  GROUP(HashTree.GROUP_BYTES);

  private final int bytes;

  Grain(int bytes) {
    this.bytes = bytes;
  }

  public int bytes() {
    return bytes;
  }
}
