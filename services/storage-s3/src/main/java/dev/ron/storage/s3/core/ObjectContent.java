package dev.ron.storage.s3.core;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the bytes of an object are. */
public sealed interface ObjectContent {
  /**
   * In the row itself; a small object costs no block.
   *
   * <p>Threading: thread-safe; threads that ask for the address at once compute the same.
   */
  final class Inline implements ObjectContent {
    private final byte[] bytes;
    private volatile @Nullable Address address;

    public Inline(byte[] bytes) {
      this.bytes = bytes;
    }

    /** Handed on without a copy. */
    public byte[] bytes() {
      return bytes;
    }

    /** Of the bytes; computed once for all that read a row in memory. */
    public Address address() {
      Address known = address;
      if (known == null) {
        known = new Address(Blake3.hash(bytes));
        address = known;
      }
      return known;
    }
  }

  /** In blocks, one behind the other. */
  record Blocks(List<Extent> extents) implements ObjectContent {
    public Blocks {
      extents = List.copyOf(extents);
    }
  }

  /**
   * In parts, each a row of its own.
   *
   * @param upload whose parts they are
   */
  record Parts(Uid upload, int count) implements ObjectContent {}
}
