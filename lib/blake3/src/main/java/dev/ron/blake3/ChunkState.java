package dev.ron.blake3;

import static dev.ron.blake3.kernel.CompressionFunction.BLOCK_BYTES;

import dev.ron.blake3.kernel.CompressionFunction;
import dev.ron.blake3.kernel.Words;
import java.util.Arrays;

/**
 * One chunk of at most 1 KiB, as far as it has been seen.
 *
 * <p>The last block is kept back even when it is full, because it is compressed with another flag
 * than the ones before it, and only the next byte shows that it was not the last.
 *
 * <p>Threading: owned by its hasher.
 */
final class ChunkState {
  private final Mode mode;
  private final int[] value = new int[CompressionFunction.CV_WORDS];
  private final int[] words = new int[CompressionFunction.BLOCK_WORDS];
  private final byte[] block = new byte[BLOCK_BYTES];
  private int blockBytes;
  private int blocksDone;
  private long number;

  ChunkState(Mode mode, long number) {
    this.mode = mode;
    restart(number);
  }

  void restart(long number) {
    this.number = number;
    mode.startValue(value);
    blockBytes = 0;
    blocksDone = 0;
  }

  int lengthBytes() {
    return blocksDone * BLOCK_BYTES + blockBytes;
  }

  long number() {
    return number;
  }

  /** Takes {@code length} bytes; the caller has checked that they fit in the chunk. */
  void update(byte[] in, int at, int length) {
    assert lengthBytes() + length <= HashTree.CHUNK_BYTES : "a chunk is at most 1 KiB";
    int from = at;
    int left = length;
    while (left > 0) {
      if (blockBytes == BLOCK_BYTES) {
        compressBlock();
      }
      int n = Math.min(left, BLOCK_BYTES - blockBytes);
      System.arraycopy(in, from, block, blockBytes, n);
      blockBytes += n;
      from += n;
      left -= n;
    }
  }

  private void compressBlock() {
    Words.read(block, 0, words);
    CompressionFunction.compress(value, words, number, BLOCK_BYTES, mode.flags() | startFlag());
    blocksDone++;
    blockBytes = 0;
  }

  private int startFlag() {
    return blocksDone == 0 ? CompressionFunction.CHUNK_START : 0;
  }

  NodeOutput node() {
    Arrays.fill(block, blockBytes, BLOCK_BYTES, (byte) 0);
    int[] last = new int[CompressionFunction.BLOCK_WORDS];
    Words.read(block, 0, last);
    int flags = mode.flags() | startFlag() | CompressionFunction.CHUNK_END;
    return new NodeOutput(value.clone(), last, number, blockBytes, flags);
  }
}
