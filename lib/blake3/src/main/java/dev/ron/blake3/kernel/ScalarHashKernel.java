package dev.ron.blake3.kernel;

import static dev.ron.blake3.kernel.CompressionFunction.BLOCK_BYTES;
import static dev.ron.blake3.kernel.CompressionFunction.CHUNK_END;
import static dev.ron.blake3.kernel.CompressionFunction.CHUNK_START;
import static dev.ron.blake3.kernel.CompressionFunction.PARENT;

import dev.ron.blake3.Hash;
import dev.ron.blake3.HashTree;
import dev.ron.blake3.Mode;

/**
 * Plain Java, one chunk after the other: works everywhere and is what the others are held against.
 *
 * <p>Threading: stateless.
 */
public final class ScalarHashKernel implements HashKernel {
  public static final ScalarHashKernel INSTANCE = new ScalarHashKernel();

  private static final int BLOCKS = HashTree.CHUNK_BYTES / BLOCK_BYTES;

  private ScalarHashKernel() {}

  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public void chunks(
      byte[] in, int at, int count, Mode mode, long first, byte[] out, int outAt, Scratch scratch) {
    int[] value = scratch.value;
    int[] block = scratch.block;
    for (int i = 0; i < count; i++) {
      mode.startValue(value);
      for (int b = 0; b < BLOCKS; b++) {
        Words.read(in, at + i * HashTree.CHUNK_BYTES + b * BLOCK_BYTES, block);
        int ends = (b == 0 ? CHUNK_START : 0) | (b == BLOCKS - 1 ? CHUNK_END : 0);
        CompressionFunction.compress(value, block, first + i, BLOCK_BYTES, mode.flags() | ends);
      }
      Words.writeValue(value, out, outAt + i * Hash.BYTES);
    }
  }

  @Override
  public void parents(
      byte[] in, int at, int count, Mode mode, byte[] out, int outAt, Scratch scratch) {
    int[] value = scratch.value;
    for (int i = 0; i < count; i++) {
      mode.startValue(value);
      Words.read(in, at + i * BLOCK_BYTES, scratch.block);
      CompressionFunction.compress(value, scratch.block, 0, BLOCK_BYTES, mode.flags() | PARENT);
      Words.writeValue(value, out, outAt + i * Hash.BYTES);
    }
  }
}
