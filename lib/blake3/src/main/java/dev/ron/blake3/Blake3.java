package dev.ron.blake3;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;

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

  /**
   * Hashes on the caller's thread and on as many of the pool's as join in.
   *
   * <p>The caller works too and never waits for a task that has not begun, so a pool that is full,
   * shut down, or the caller's own cannot deadlock it.
   */
  public static Hash hash(MemorySegment in, Executor pool) {
    return Team.node(Mode.PLAIN, in, pool, KernelChoice.kernel(in.byteSize())).root();
  }

  public static Hash keyedHash(byte[] key, byte[] in) {
    return node(Mode.keyed(key), in).root();
  }

  static Node node(Mode mode, byte[] in) {
    if (in.length <= Tree.CHUNK_BYTES) {
      ChunkState chunk = new ChunkState(mode, 0);
      chunk.update(in, 0, in.length);
      return chunk.node();
    }
    return new Blake3Hasher(mode).update(in).node();
  }
}
