package dev.ron.erasure;

import static dev.ron.erasure.ScratchPool.BLOCK_BYTES;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A systematic Reed-Solomon code of k data and m parity shards over bytes.
 *
 * <p>Shards are numbered 0 to k+m-1, data first, and stand in an array at their number. Every
 * offset is coded alone: byte i of all shards depends on byte i of the data shards and nothing
 * else, so that a range can be encoded or repaired without the rest. {@link CodingMatrix} says
 * which matrix, {@link Layout} how an object becomes shards.
 *
 * <p>Byte arrays are the fast way. Segments are copied block by block through arrays: measured,
 * that beats vector access to segments, which loses its inlining as soon as a process uses more
 * than one kind of them.
 *
 * <p>Threading: thread-safe; immutable but for a cache of matrices and a pool of blocks. The caller
 * owns the shards for the length of a call.
 */
@SuppressWarnings("NullAway") // a ShardSet says which are there
public final class ReedSolomon {
  private final int dataShards;
  private final int parityShards;
  private final ShardSet all;
  private final Kernel kernel;
  private final Combination parity;
  private final RecoveryCache recoveries;
  private final ScratchPool scratch;

  ReedSolomon(int dataShards, int parityShards, Kernel kernel) {
    CodingMatrix matrix = new CodingMatrix(dataShards, parityShards);
    this.dataShards = dataShards;
    this.parityShards = parityShards;
    this.all = ShardSet.range(0, dataShards + parityShards);
    this.kernel = kernel;
    this.parity = matrix.parity();
    this.recoveries = new RecoveryCache(matrix);
    this.scratch = new ScratchPool(dataShards + parityShards);
  }

  /** With the kernel of {@link KernelChoice#atStart}. */
  public static ReedSolomon of(int dataShards, int parityShards) {
    return new ReedSolomon(dataShards, parityShards, KernelChoice.atStart().kernel());
  }

  public int dataShards() {
    return dataShards;
  }

  public int parityShards() {
    return parityShards;
  }

  public int shards() {
    return dataShards + parityShards;
  }

  public String kernelName() {
    return kernel.name();
  }

  /** Computes the parity shards from the data shards. */
  public void encode(byte[][] shards, int offset, int length) {
    apply(parity, shards, offset, length);
  }

  /** Computes the parity segments from the data segments, all of one size. */
  public void encode(MemorySegment[] shards) {
    apply(parity, shards);
  }

  /**
   * Computes the wanted shards, and no others, from the first k present ones. Shards that are
   * neither are not touched and may be null.
   */
  public void reconstruct(
      byte[] @Nullable [] shards, ShardSet present, ShardSet wanted, int offset, int length) {
    apply(recovery(present, wanted), shards, offset, length);
  }

  /** As above; the segments touched are all of one size. */
  public void reconstruct(@Nullable MemorySegment[] shards, ShardSet present, ShardSet wanted) {
    apply(recovery(present, wanted), shards);
  }

  private void apply(Combination combination, byte[] @Nullable [] shards, int offset, int length) {
    checkBounds(combination, shards, offset, length);
    kernel.apply(combination, shards, offset, shards, offset, length);
  }

  private void apply(Combination combination, @Nullable MemorySegment[] shards) {
    long length = checkBounds(combination, shards);
    byte[][] blocks = scratch.borrow();
    try {
      for (long at = 0; at < length; at += BLOCK_BYTES) {
        int bytes = (int) Math.min(BLOCK_BYTES, length - at);
        copyIn(combination.from, shards, at, blocks, bytes);
        kernel.apply(combination, blocks, 0, blocks, 0, bytes);
        for (int shard : combination.into) {
          MemorySegment.copy(blocks[shard], 0, shards[shard], JAVA_BYTE, at, bytes);
        }
      }
    } finally {
      scratch.giveBack(blocks);
    }
  }

  private static void copyIn(
      int[] which, @Nullable MemorySegment[] shards, long at, byte[][] blocks, int bytes) {
    for (int shard : which) {
      MemorySegment.copy(shards[shard], JAVA_BYTE, at, blocks[shard], 0, bytes);
    }
  }

  private Combination recovery(ShardSet present, ShardSet wanted) {
    checkIndices(present);
    checkIndices(wanted);
    if (present.containsAny(wanted)) {
      throw new IllegalArgumentException("wanted " + wanted + " but present are " + present);
    }
    return recoveries.recovery(present, wanted);
  }

  private void checkIndices(ShardSet set) {
    if (!all.containsAll(set)) {
      throw new IllegalArgumentException(set + " of " + shards() + " shards");
    }
  }

  private void checkBounds(
      Combination combination, byte[] @Nullable [] shards, int offset, int length) {
    checkCount(shards.length);
    for (int shard : combination.from) {
      Objects.checkFromIndexSize(offset, length, shards[shard].length);
    }
    for (int shard : combination.into) {
      Objects.checkFromIndexSize(offset, length, shards[shard].length);
    }
  }

  /** Answers the one size all segments must have. */
  private long checkBounds(Combination combination, @Nullable MemorySegment[] shards) {
    checkCount(shards.length);
    long length = shards[combination.from[0]].byteSize();
    checkSizes(combination.from, shards, length);
    checkSizes(combination.into, shards, length);
    return length;
  }

  private static void checkSizes(int[] which, @Nullable MemorySegment[] shards, long length) {
    for (int shard : which) {
      long bytes = shards[shard].byteSize();
      if (bytes != length) {
        throw new IllegalArgumentException(
            "shard " + shard + " has " + bytes + " bytes, others " + length);
      }
    }
  }

  private void checkCount(int count) {
    if (count != shards()) {
      throw new IllegalArgumentException(count + " shards, not " + shards());
    }
  }
}
