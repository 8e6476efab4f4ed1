package dev.ron.storage.s3.block;

import dev.ron.blake3.Address;
import dev.ron.blake3.HashTree;
import dev.ron.blake3.Subtree;
import dev.ron.blake3.SubtreeComposer;
import java.util.ArrayList;
import java.util.List;

/**
 * Composes the address of a body from its blocks.
 *
 * <p>A block's own address says nothing about the whole: what is hashed has its place in it. So
 * each block is hashed a second time, at its place, by the thread that stores it. The first has the
 * same place alone, and is hashed once.
 *
 * <p>Threading: owned by the request.
 */
final class AddressComposer {
  private static final int PARTS_PER_BLOCK = BlockStore.BLOCK_BYTES / HashTree.PART_BYTES;

  private final SubtreeComposer composer;

  /**
   * @param bytesMax of the body
   */
  AddressComposer(long bytesMax) {
    this.composer = new SubtreeComposer((int) HashTree.parts(bytesMax));
  }

  /** What a block is to the whole. */
  static List<Subtree> parts(long block, byte[] bytes, int length) {
    var parts = new ArrayList<Subtree>(PARTS_PER_BLOCK);
    for (int at = 0; at < length; at += HashTree.PART_BYTES) {
      int count = Math.min(HashTree.PART_BYTES, length - at);
      long index = block * PARTS_PER_BLOCK + at / HashTree.PART_BYTES;
      parts.add(Subtree.of(index, bytes, at, count));
    }
    return parts;
  }

  /** The address of the first block itself. */
  static Address ofFirst(List<Subtree> parts, int length) {
    var alone = new AddressComposer(length);
    alone.add(parts);
    return alone.compose(length);
  }

  void add(List<Subtree> parts) {
    parts.forEach(part -> composer.add(part).orThrow());
  }

  Address compose(long sizeBytes) {
    return new Address(composer.compose(sizeBytes).orThrow());
  }
}
