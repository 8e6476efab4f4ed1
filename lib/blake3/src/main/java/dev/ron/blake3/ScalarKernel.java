package dev.ron.blake3;

import static dev.ron.blake3.Compression.BLOCK_BYTES;
import static dev.ron.blake3.Compression.CHUNK_END;
import static dev.ron.blake3.Compression.CHUNK_START;
import static dev.ron.blake3.Compression.PARENT;

/**
 * Plain Java, one chunk after the other: works everywhere and is what the others are held against.
 *
 * <p>Threading: stateless.
 */
final class ScalarKernel implements Kernel {
  static final ScalarKernel INSTANCE = new ScalarKernel();

  private static final int BLOCKS = Tree.CHUNK_BYTES / BLOCK_BYTES;

  private ScalarKernel() {}

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
        Words.read(in, at + i * Tree.CHUNK_BYTES + b * BLOCK_BYTES, block);
        int ends = (b == 0 ? CHUNK_START : 0) | (b == BLOCKS - 1 ? CHUNK_END : 0);
        Compression.compress(value, block, first + i, BLOCK_BYTES, mode.flags() | ends);
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
      Compression.compress(value, scratch.block, 0, BLOCK_BYTES, mode.flags() | PARENT);
      Words.writeValue(value, out, outAt + i * Hash.BYTES);
    }
  }
}
