package dev.ron.storage.s3.core;

import dev.ron.blake3.Address;

/**
 * A piece of an object: bytes of one block.
 *
 * <p>Threading: immutable.
 *
 * @param offset where the piece begins in the block; not 0 only in copies of a range
 */
public record Extent(Address block, int offset, int length) {
  public Extent {
    if (offset < 0 || length < 1) {
      throw new IllegalArgumentException("bytes %d, %d of a block".formatted(offset, length));
    }
  }
}
