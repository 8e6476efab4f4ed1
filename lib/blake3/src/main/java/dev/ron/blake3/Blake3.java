package dev.ron.blake3;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The hash of bytes that are all at hand.
 *
 * <p>Threading: stateless.
 */
public final class Blake3 {
  private Blake3() {}

  public static Hash hash(byte[] in) {
    return node(Mode.PLAIN, in).root();
  }

  /** Hashes what remains of the buffer and leaves its position at its limit. */
  public static Hash hash(ByteBuffer in) {
    return new Blake3Hasher().update(in).hash();
  }

  public static Hash hash(MemorySegment in) {
    return new Blake3Hasher().update(in).hash();
  }

  public static Hash keyedHash(byte[] key, byte[] in) {
    return node(Mode.keyed(key), in).root();
  }

  static NodeOutput node(Mode mode, byte[] in) {
    if (in.length <= HashTree.CHUNK_BYTES) {
      ChunkState chunk = new ChunkState(mode, 0);
      chunk.update(in, 0, in.length);
      return chunk.node();
    }
    return new Blake3Hasher(mode).update(in).node();
  }
}
