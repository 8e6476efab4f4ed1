package dev.ron.erasure;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Shards to test with, every one of them remade from a seed. */
final class Samples {
  private Samples() {}

  static byte[][] random(int shards, int bytes, long seed) {
    Random random = new Random(seed);
    byte[][] samples = new byte[shards][bytes];
    for (byte[] shard : samples) {
      random.nextBytes(shard);
    }
    return samples;
  }

  /** Random data with their parity, by the scalar kernel. */
  static byte[][] encoded(int k, int m, int bytes, long seed) {
    byte[][] shards = random(k + m, bytes, seed);
    new ReedSolomon(k, m, new ScalarKernel()).encode(shards, 0, bytes);
    return shards;
  }

  static byte[][] copy(byte[][] shards) {
    byte[][] copy = new byte[shards.length][];
    for (int i = 0; i < shards.length; i++) {
      copy[i] = shards[i].clone();
    }
    return copy;
  }

  static MemorySegment[] offHeap(byte[][] shards, Arena arena) {
    MemorySegment[] segments = new MemorySegment[shards.length];
    for (int i = 0; i < shards.length; i++) {
      segments[i] = arena.allocate(shards[i].length).copyFrom(MemorySegment.ofArray(shards[i]));
    }
    return segments;
  }

  /** Every set of one to {@code sizeMax} shards out of {@code shards}. */
  static List<ShardSet> subsets(int shards, int sizeMax) {
    List<ShardSet> subsets = new ArrayList<>();
    for (int bits = 1; bits < 1 << shards; bits++) {
      if (Integer.bitCount(bits) <= sizeMax) {
        subsets.add(new ShardSet(bits, 0, 0, 0));
      }
    }
    return subsets;
  }

  static ShardSet randomSubset(int shards, int size, Random random) {
    ShardSet set = ShardSet.empty();
    while (set.size() < size) {
      set = set.with(random.nextInt(shards));
    }
    return set;
  }
}
