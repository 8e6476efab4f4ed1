package dev.ron.blake3;

import dev.ron.blake3.kernel.HashKernel;
import dev.ron.blake3.kernel.HashKernelChoice;
import dev.ron.blake3.kernel.Scratch;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A hash of bytes that come in pieces of any size.
 *
 * <p>Keeps one unfinished chunk and a stack of chaining values of finished subtrees. Two subtrees
 * of one size are merged only when a later byte proves that their parent is not the root.
 *
 * <p>Threading: owned by one thread at a time.
 */
public final class Blake3Hasher {
  /** 2^54 chunks make 2^64 bytes; one more for the pair that is pushed before it is merged. */
  private static final int STACK_MAX = 55;

  private final Mode mode;
  private final @Nullable HashKernel fixed;
  private final ChunkState chunk;
  private final byte[] stack = new byte[STACK_MAX * Hash.BYTES];
  private int stackSize;

  /** The number of the first chunk within the whole input: not 0 for a subtree. */
  private long first;

  public Blake3Hasher() {
    this(Mode.PLAIN);
  }

  public Blake3Hasher(Mode mode) {
    this(mode, 0, null);
  }

  /**
   * A hasher of the subtree that begins at chunk {@code first}.
   *
   * @param fixed the kernel to use; the chosen one if null
   */
  public Blake3Hasher(Mode mode, long first, @Nullable HashKernel fixed) {
    this.mode = mode;
    this.fixed = fixed;
    this.first = first;
    this.chunk = new ChunkState(mode, first);
  }

  /** Forgets everything, as if new. */
  public Blake3Hasher reset() {
    return restart(0);
  }

  public Blake3Hasher restart(long firstChunk) {
    first = firstChunk;
    stackSize = 0;
    chunk.restart(firstChunk);
    return this;
  }

  /** How many bytes have been taken. */
  public long lengthBytes() {
    return chunksDone() * HashTree.CHUNK_BYTES + chunk.lengthBytes();
  }

  private long chunksDone() {
    return chunk.number() - first;
  }

  public Blake3Hasher update(byte[] in) {
    return update(in, 0, in.length);
  }

  public Blake3Hasher update(byte[] in, int at, int length) {
    Objects.checkFromIndexSize(at, length, in.length);
    if (length <= HashTree.CHUNK_BYTES) {
      return update(in, at, length, null);
    }
    Scratch scratch = Scratch.take();
    try {
      return update(in, at, length, scratch);
    } finally {
      scratch.give();
    }
  }

  /**
   * Takes checked bytes.
   *
   * @param scratch may be null for one chunk or less
   */
  private Blake3Hasher update(byte[] in, int at, int length, @Nullable Scratch scratch) {
    int from = at;
    int left = length;
    if (chunk.lengthBytes() > 0) {
      int n = Math.min(left, HashTree.CHUNK_BYTES - chunk.lengthBytes());
      chunk.update(in, from, n);
      from += n;
      left -= n;
      if (left > 0) {
        pushChunk();
      }
    }
    if (left > HashTree.CHUNK_BYTES && scratch != null) {
      int n = updateSubtrees(in, from, left, scratch);
      from += n;
      left -= n;
    }
    if (left > 0) {
      mergeTo(Long.bitCount(chunksDone()));
      chunk.update(in, from, left);
    }
    return this;
  }

  /** Takes what remains of the buffer and leaves its position at its limit. */
  public Blake3Hasher update(ByteBuffer in) {
    if (in.hasArray()) {
      update(in.array(), in.arrayOffset() + in.position(), in.remaining());
    } else {
      update(MemorySegment.ofBuffer(in));
    }
    in.position(in.limit());
    return this;
  }

  public Blake3Hasher update(MemorySegment in) {
    // An array is read in place. Everything else is copied a group at a time: vector loads from an
    // array are more than twice as fast as from a segment, and the copy stays within the cache.
    if (in.heapBase().orElse(null) instanceof byte[] array) {
      return update(array, (int) in.address(), (int) in.byteSize());
    }
    Scratch scratch = Scratch.take();
    try {
      MemorySegment copy = MemorySegment.ofArray(scratch.copy);
      for (long at = 0; at < in.byteSize(); at += scratch.copy.length) {
        int n = (int) Math.min(scratch.copy.length, in.byteSize() - at);
        MemorySegment.copy(in, at, copy, 0, n);
        update(scratch.copy, 0, n, scratch);
      }
    } finally {
      scratch.give();
    }
    return this;
  }

  private void pushChunk() {
    mergeTo(Long.bitCount(chunksDone()));
    chunk.node().chainingValue(stack, stackSize * Hash.BYTES);
    stackSize++;
    chunk.restart(chunk.number() + 1);
  }

  /** Hashes whole subtrees straight from the input; leaves at most one chunk of it. */
  private int updateSubtrees(byte[] in, int at, int length, Scratch scratch) {
    HashKernel kernel = fixed != null ? fixed : HashKernelChoice.kernel(length);
    int done = 0;
    while (length - done > HashTree.CHUNK_BYTES) {
      int count = subtreeChunks((length - done) / HashTree.CHUNK_BYTES);
      if (count == 1) {
        chunk.update(in, at + done, HashTree.CHUNK_BYTES);
        pushChunk();
      } else {
        kernel.halves(in, at + done, count, mode, chunk.number(), scratch);
        pushHalf(scratch.values, 0, count / 2);
        pushHalf(scratch.values, Hash.BYTES, count / 2);
      }
      done += count * HashTree.CHUNK_BYTES;
    }
    return done;
  }

  /** The largest subtree that {@code available} chunks fill and that may begin here. */
  private int subtreeChunks(int available) {
    int count = Math.min(Integer.highestOneBit(available), Scratch.CHUNKS_MAX);
    long done = chunksDone();
    return done == 0 ? count : (int) Math.min(count, Long.lowestOneBit(done));
  }

  private void pushHalf(byte[] values, int at, int chunks) {
    mergeTo(Long.bitCount(chunksDone()));
    System.arraycopy(values, at, stack, stackSize * Hash.BYTES, Hash.BYTES);
    stackSize++;
    chunk.restart(chunk.number() + chunks);
  }

  /**
   * After n chunks there is one finished subtree for every set bit of n. The stack may hold one
   * more, merged no earlier than here.
   */
  private void mergeTo(int size) {
    while (stackSize > size) {
      int left = (stackSize - 2) * Hash.BYTES;
      NodeOutput.parent(mode, stack, left).chainingValue(stack, left);
      stackSize--;
    }
  }

  public Hash hash() {
    return node().root();
  }

  /** The top of what has been taken so far; more may be taken afterwards. */
  public NodeOutput node() {
    int left = stackSize;
    NodeOutput node;
    if (chunk.lengthBytes() > 0 || stackSize == 0) {
      node = chunk.node();
    } else {
      node = NodeOutput.parent(mode, stack, (stackSize - 2) * Hash.BYTES);
      left = stackSize - 2;
    }
    byte[] pair = new byte[2 * Hash.BYTES];
    for (; left > 0; left--) {
      System.arraycopy(stack, (left - 1) * Hash.BYTES, pair, 0, Hash.BYTES);
      node.chainingValue(pair, Hash.BYTES);
      node = NodeOutput.parent(mode, pair, 0);
    }
    return node;
  }
}
