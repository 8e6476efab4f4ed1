package dev.ron.blake3;

import java.util.Objects;

/**
 * The output of a hash, as long as is wanted; its first 32 bytes are the {@link Hash}.
 *
 * <p>Reading at a high position costs no more than at the start.
 *
 * <p>Threading: owned by its reader.
 */
public final class ExtendedOutput {
  private final Node root;
  private final int[] words = new int[Compression.BLOCK_WORDS];
  private final byte[] block = new byte[Compression.BLOCK_BYTES];
  private long blockIndex = -1;
  private long position;

  ExtendedOutput(Node root) {
    this.root = root;
  }

  public long position() {
    return position;
  }

  /** Goes to {@code position}; the next byte read is that one. */
  public ExtendedOutput seek(long position) {
    if (position < 0) {
      throw new IllegalArgumentException("position " + position + " is negative");
    }
    this.position = position;
    return this;
  }

  public byte[] read(int length) {
    byte[] bytes = new byte[length];
    read(bytes, 0, length);
    return bytes;
  }

  public void read(byte[] into, int at, int length) {
    Objects.checkFromIndexSize(at, length, into.length);
    if (position > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException("the output ends at position 2^63 - 1");
    }
    for (int done = 0; done < length; ) {
      load(position / block.length);
      int from = (int) (position % block.length);
      int n = Math.min(length - done, block.length - from);
      System.arraycopy(block, from, into, at + done, n);
      done += n;
      position += n;
    }
  }

  private void load(long index) {
    if (index == blockIndex) {
      return;
    }
    root.output(index, words);
    for (int i = 0; i < words.length; i++) {
      Words.word(block, i * Integer.BYTES, words[i]);
    }
    blockIndex = index;
  }
}
