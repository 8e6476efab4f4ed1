package dev.ron.blake3;

import dev.ron.blake3.kernel.HashKernel;
import dev.ron.blake3.kernel.HashKernelChoice;
import dev.ron.blake3.kernel.Scratch;
import java.util.ArrayList;
import java.util.List;

/**
 * All chaining values above a row of equal subtrees, height by height.
 *
 * <p>Height 0 are the given leaves; each further height pairs the one below from the left and
 * carries an odd one up unchanged. Whole heights are hashed at once, which fills the vector lanes.
 *
 * <p>Threading: immutable.
 */
public final class Levels {
  private final Mode mode;
  private final List<byte[]> heights;

  private Levels(Mode mode, List<byte[]> heights) {
    this.mode = mode;
    this.heights = heights;
  }

  /** Takes {@code leaves} over: {@code count} chaining values back to back, at least two. */
  public static Levels over(Mode mode, byte[] leaves, int count, HashKernel kernel) {
    if (count < 2 || leaves.length != count * Hash.BYTES) {
      throw new IllegalArgumentException(count + " leaves in " + leaves.length + " bytes");
    }
    List<byte[]> heights = new ArrayList<>();
    heights.add(leaves);
    Scratch scratch = Scratch.take();
    try {
      byte[] below = leaves;
      for (int n = count; n > 2; n = n / 2 + n % 2) {
        byte[] above = new byte[(n / 2 + n % 2) * Hash.BYTES];
        kernel.parents(below, 0, n / 2, mode, above, 0, scratch);
        if (n % 2 == 1) {
          int last = (n - 1) * Hash.BYTES;
          System.arraycopy(below, last, above, n / 2 * Hash.BYTES, Hash.BYTES);
        }
        heights.add(above);
        below = above;
      }
    } finally {
      scratch.give();
    }
    return new Levels(mode, heights);
  }

  /** Over the chunks of one group of more than one chunk, which begins with chunk {@code first}. */
  public static Levels ofChunks(byte[] in, int length, long first) {
    int count = (int) HashTree.chunks(length);
    int whole = length / HashTree.CHUNK_BYTES;
    byte[] values = new byte[count * Hash.BYTES];
    HashKernel kernel = HashKernelChoice.kernel(length);
    Scratch scratch = Scratch.take();
    try {
      kernel.chunks(in, 0, whole, Mode.PLAIN, first, values, 0, scratch);
    } finally {
      scratch.give();
    }
    if (whole < count) {
      ChunkState last = new ChunkState(Mode.PLAIN, first + whole);
      last.update(in, whole * HashTree.CHUNK_BYTES, length % HashTree.CHUNK_BYTES);
      last.node().chainingValue(values, whole * Hash.BYTES);
    }
    return over(Mode.PLAIN, values, count, kernel);
  }

  /** The parent over everything, not yet decided whether it is the root. */
  public NodeOutput top() {
    return NodeOutput.parent(mode, heights.getLast(), 0);
  }

  public byte[] leaves() {
    return heights.getFirst().clone();
  }

  /** Writes the chaining value of the node that begins at {@code leaf} and covers so many. */
  public void value(int leaf, int leaves, byte[] to, int at) {
    int height = leaves == 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(leaves - 1);
    int index = leaf >>> height;
    System.arraycopy(heights.get(height), index * Hash.BYTES, to, at, Hash.BYTES);
  }
}
