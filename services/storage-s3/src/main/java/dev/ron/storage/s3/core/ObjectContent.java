package dev.ron.storage.s3.core;

import java.util.List;

/** Where the bytes of an object are. */
public sealed interface ObjectContent {
  /** In the row itself; a small object costs no block. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, and handed on without a copy
  record Inline(byte[] bytes) implements ObjectContent {}

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
