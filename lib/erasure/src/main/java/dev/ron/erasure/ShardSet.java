package dev.ron.erasure;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A set of shard indices, 0 to 254, as four words of bits.
 *
 * <p>A value rather than a {@link java.util.BitSet}: it is a cache key and it is handed between
 * threads.
 *
 * <p>Threading: immutable.
 */
public record ShardSet(long word0, long word1, long word2, long word3) {
  /** Indices run below this. */
  public static final int SHARDS_MAX = 255;

  private static final ShardSet EMPTY = new ShardSet(0, 0, 0, 0);

  /** Rejects index 255: the field has room for 255 shards beside zero. */
  public ShardSet {
    if (word3 < 0) {
      throw new IllegalArgumentException("shard index 255 is out of bounds for " + SHARDS_MAX);
    }
  }

  public static ShardSet empty() {
    return EMPTY;
  }

  public static ShardSet of(int... shards) {
    ShardSet set = EMPTY;
    for (int shard : shards) {
      set = set.with(shard);
    }
    return set;
  }

  /** The shards {@code from} inclusive to {@code to} exclusive. */
  public static ShardSet range(int from, int to) {
    ShardSet set = EMPTY;
    for (int shard = from; shard < to; shard++) {
      set = set.with(shard);
    }
    return set;
  }

  public ShardSet with(int shard) {
    return plus(bit(shard));
  }

  public ShardSet plus(ShardSet other) {
    return new ShardSet(
        word0 | other.word0, word1 | other.word1, word2 | other.word2, word3 | other.word3);
  }

  public ShardSet minus(ShardSet other) {
    return new ShardSet(
        word0 & ~other.word0, word1 & ~other.word1, word2 & ~other.word2, word3 & ~other.word3);
  }

  public boolean contains(int shard) {
    if (shard < 0 || shard >= SHARDS_MAX) {
      return false;
    }
    long word =
        switch (shard >> 6) {
          case 0 -> word0;
          case 1 -> word1;
          case 2 -> word2;
          default -> word3;
        };
    return (word >>> (shard & 63) & 1) != 0;
  }

  public boolean containsAll(ShardSet other) {
    return other.minus(this).isEmpty();
  }

  public boolean containsAny(ShardSet other) {
    return !other.minus(this).equals(other);
  }

  public boolean isEmpty() {
    return (word0 | word1 | word2 | word3) == 0;
  }

  public int size() {
    return Long.bitCount(word0)
        + Long.bitCount(word1)
        + Long.bitCount(word2)
        + Long.bitCount(word3);
  }

  /** The indices in ascending order. */
  public int[] toArray() {
    return IntStream.range(0, SHARDS_MAX).filter(this::contains).toArray();
  }

  @Override
  public String toString() {
    return Arrays.toString(toArray());
  }

  private static ShardSet bit(int shard) {
    if (shard < 0 || shard >= SHARDS_MAX) {
      throw new IllegalArgumentException(
          "shard index " + shard + " is out of bounds for " + SHARDS_MAX);
    }
    long bit = 1L << (shard & 63);
    return switch (shard >> 6) {
      case 0 -> new ShardSet(bit, 0, 0, 0);
      case 1 -> new ShardSet(0, bit, 0, 0);
      case 2 -> new ShardSet(0, 0, bit, 0);
      default -> new ShardSet(0, 0, 0, bit);
    };
  }
}
