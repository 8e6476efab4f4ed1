package dev.ron.storage.s3.block;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.blake3.Subtree;
import dev.ron.storage.s3.core.Extent;
import dev.ron.storage.s3.encryption.ContentKey;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a body is cut into blocks.
 *
 * <p>Threading: owned by the request.
 *
 * @param exact whether the body must have all the bytes, and may not end before
 * @param key what the bytes are encrypted with, null to store them as they are
 * @param composer null if the address of the whole is not wanted
 * @param seen gets the bytes as they come, for digests
 */
record BodyCut(
    boolean exact,
    @Nullable ContentKey key,
    @Nullable AddressComposer composer,
    Consumer<ByteBuffer> seen) {
  /**
   * @param addressed whether the address of the whole is wanted
   * @param bytesMax so many are read at most
   */
  static BodyCut of(
      boolean exact,
      @Nullable ContentKey key,
      boolean addressed,
      long bytesMax,
      Consumer<ByteBuffer> seen) {
    boolean composes = addressed && key == null && bytesMax > BlockStore.BLOCK_BYTES;
    return new BodyCut(exact, key, composes ? new AddressComposer(bytesMax) : null, seen);
  }

  /** What a block is to the whole, computed by the thread that stores it. */
  List<Subtree> parts(long number, byte[] block, int length) {
    return composer == null ? List.of() : AddressComposer.parts(number, block, length);
  }

  /** The address of a block, by itself. */
  static Address address(long number, byte[] block, List<Subtree> parts, int length) {
    return number == 0 && !parts.isEmpty()
        ? AddressComposer.ofFirst(parts, length)
        : new Address(Blake3.hash(block));
  }

  /** A block that is stored. */
  Extent took(Address block, List<Subtree> parts, int length) {
    if (composer != null) {
      composer.add(parts);
    }
    return new Extent(block, 0, length);
  }

  /** The address of a body in several blocks; one alone is its own. */
  @Nullable Address address(int blocks, long sizeBytes) {
    return composer == null || blocks < 2 ? null : composer.compose(sizeBytes);
  }
}
