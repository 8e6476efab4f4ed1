package dev.ron.blake3.kernel;

import static dev.ron.blake3.kernel.CompressionFunction.BLOCK_BYTES;
import static jdk.incubator.vector.VectorOperators.ROR;
import static jdk.incubator.vector.VectorOperators.XOR;

import dev.ron.blake3.Hash;
import dev.ron.blake3.HashTree;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * As many chunks side by side as a vector has lanes: lane i of every vector belongs to chunk i.
 *
 * <p>The just-in-time compiler only turns vector calls into instructions when the width is a
 * constant. So this class is a template: {@link VectorHashKernel} defines one hidden copy of it per
 * width, and hands the width in as class data. Nothing else may name this class, because linking it
 * needs jdk.incubator.vector.
 *
 * <p>Three rules keep it fast; the last two were worth a factor of more than two each. Vectors stay
 * in local variables of one method, because a vector that is handed to a method that happens not to
 * be inlined becomes an object. Loads in the rounds call the library directly, because our own
 * small methods are no longer inlined there. Input is an array, because loads from a segment are
 * slow.
 *
 * <p>It reads words in the order of the machine; on a big-endian one the self-test refuses it.
 *
 * <p>Threading: stateless; the rows belong to the caller.
 */
final class VectorLanes implements HashLanes {
  private static final int LANES = width();
  private static final VectorSpecies<Integer> SPECIES =
      VectorSpecies.of(int.class, VectorShape.forBitSize(LANES * Integer.SIZE));
  private static final VectorSpecies<Byte> BYTES =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(LANES * Integer.SIZE));
  private static final int[] SCHEDULE = CompressionFunction.schedule(LANES);

  // Rows of one vector each: message words, chaining values, counters, half-done transpositions.
  private static final int CV_ROW = 16 * LANES;
  private static final int COUNTER_ROW = 24 * LANES;
  private static final int HALF_ROW = 26 * LANES;
  private static final int UNUSED_ROW = 42 * LANES;

  // Stage d of a transposition exchanges, between rows i and i + d, the lanes whose bit d differs.
  private static final VectorShuffle<Integer> UP_1 = Transposition.turn(SPECIES, -1);
  private static final VectorShuffle<Integer> DOWN_1 = Transposition.turn(SPECIES, 1);
  private static final VectorMask<Integer> HIGH_1 = Transposition.high(SPECIES, 1);
  private static final VectorShuffle<Integer> UP_2 = Transposition.turn(SPECIES, -2);
  private static final VectorShuffle<Integer> DOWN_2 = Transposition.turn(SPECIES, 2);
  private static final VectorMask<Integer> HIGH_2 = Transposition.high(SPECIES, 2);
  private static final VectorShuffle<Integer> UP_4 = Transposition.turn(SPECIES, -4);
  private static final VectorShuffle<Integer> DOWN_4 = Transposition.turn(SPECIES, 4);
  private static final VectorMask<Integer> HIGH_4 = Transposition.high(SPECIES, 4);
  private static final VectorShuffle<Integer> UP_8 = Transposition.turn(SPECIES, -8);
  private static final VectorShuffle<Integer> DOWN_8 = Transposition.turn(SPECIES, 8);
  private static final VectorMask<Integer> HIGH_8 = Transposition.high(SPECIES, 8);

  private static int width() {
    try {
      return MethodHandles.classData(MethodHandles.lookup(), "_", Integer.class);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public int count() {
    return LANES;
  }

  @Override
  public int widestLanes() {
    return IntVector.SPECIES_PREFERRED.length();
  }

  @Override
  public void chunks(
      byte[] in,
      int at,
      int[] key,
      long counter,
      int flags,
      byte[] out,
      int outAt,
      int[] s,
      boolean ahead) {
    start(key, counter, 1, s);
    for (int block = 0; block < HashTree.CHUNK_BYTES; block += BLOCK_BYTES) {
      int ends = block == 0 ? CompressionFunction.CHUNK_START : 0;
      if (block == HashTree.CHUNK_BYTES - BLOCK_BYTES) {
        ends |= CompressionFunction.CHUNK_END;
      }
      if (ahead) {
        touch(in, at + LANES * (HashTree.CHUNK_BYTES + block), s);
      }
      load(in, at + block, HashTree.CHUNK_BYTES, s);
      compress(s, flags | ends);
    }
    store(s, out, outAt);
  }

  @Override
  public void parents(byte[] in, int at, int[] key, int flags, byte[] out, int outAt, int[] s) {
    start(key, 0, 0, s);
    load(in, at, BLOCK_BYTES, s);
    compress(s, flags | CompressionFunction.PARENT);
    store(s, out, outAt);
  }

  /**
   * Reads a byte of every cache line of as much input as one step of {@code chunks} hashes, from
   * the lanes that come next. Sixteen chunks are read side by side, a pattern that the CPU does not
   * foresee; this one it does. The sum is kept only so that the reads are not optimised away.
   */
  private static void touch(byte[] in, int at, int[] s) {
    int sum = 0;
    for (int i = at; i < at + LANES * BLOCK_BYTES; i += BLOCK_BYTES) {
      sum += in[i];
    }
    s[UNUSED_ROW] = sum;
  }

  private static void start(int[] key, long counter, int step, int[] s) {
    for (int w = 0; w < CompressionFunction.CV_WORDS; w++) {
      IntVector.broadcast(SPECIES, key[w]).intoArray(s, CV_ROW + w * LANES);
    }
    for (int i = 0; i < LANES; i++) {
      long number = counter + (long) i * step;
      s[COUNTER_ROW + i] = (int) number;
      s[COUNTER_ROW + LANES + i] = (int) (number >>> 32);
    }
  }

  private static void store(int[] s, byte[] out, int outAt) {
    for (int i = 0; i < LANES; i++) {
      for (int w = 0; w < CompressionFunction.CV_WORDS; w++) {
        Words.word(out, outAt + i * Hash.BYTES + w * Integer.BYTES, s[CV_ROW + w * LANES + i]);
      }
    }
  }

  /** Message word w of lane i goes to row w, lane i: a transposition, a square at a time. */
  private static void load(byte[] in, int at, int stride, int[] s) {
    for (int word = 0; word < CompressionFunction.BLOCK_WORDS; word += LANES) {
      int half = LANES == 4 ? word * LANES : HALF_ROW;
      stages12(in, at + word * Integer.BYTES, stride, s, half);
      if (LANES == 8) {
        stage4(s, word * LANES);
      } else if (LANES == 16) {
        stages48(s);
      }
    }
  }

  private static void stages12(byte[] in, int at, int stride, int[] s, int to) {
    for (int i = 0; i < LANES; i += 4) {
      int from = at + i * stride;
      IntVector a = ByteVector.fromArray(BYTES, in, from).reinterpretAsInts();
      IntVector b = ByteVector.fromArray(BYTES, in, from + stride).reinterpretAsInts();
      IntVector c = ByteVector.fromArray(BYTES, in, from + 2 * stride).reinterpretAsInts();
      IntVector d = ByteVector.fromArray(BYTES, in, from + 3 * stride).reinterpretAsInts();
      IntVector a1 = a.blend(b.rearrange(UP_1), HIGH_1);
      IntVector b1 = a.rearrange(DOWN_1).blend(b, HIGH_1);
      IntVector c1 = c.blend(d.rearrange(UP_1), HIGH_1);
      IntVector d1 = c.rearrange(DOWN_1).blend(d, HIGH_1);
      int row = to + i * LANES;
      a1.blend(c1.rearrange(UP_2), HIGH_2).intoArray(s, row);
      b1.blend(d1.rearrange(UP_2), HIGH_2).intoArray(s, row + LANES);
      a1.rearrange(DOWN_2).blend(c1, HIGH_2).intoArray(s, row + 2 * LANES);
      b1.rearrange(DOWN_2).blend(d1, HIGH_2).intoArray(s, row + 3 * LANES);
    }
  }

  private static void stage4(int[] s, int to) {
    for (int i = 0; i < 4; i++) {
      IntVector a = IntVector.fromArray(SPECIES, s, HALF_ROW + i * LANES);
      IntVector b = IntVector.fromArray(SPECIES, s, HALF_ROW + (i + 4) * LANES);
      a.blend(b.rearrange(UP_4), HIGH_4).intoArray(s, to + i * LANES);
      a.rearrange(DOWN_4).blend(b, HIGH_4).intoArray(s, to + (i + 4) * LANES);
    }
  }

  private static void stages48(int[] s) {
    for (int i = 0; i < 4; i++) {
      IntVector a = IntVector.fromArray(SPECIES, s, HALF_ROW + i * LANES);
      IntVector b = IntVector.fromArray(SPECIES, s, HALF_ROW + (i + 4) * LANES);
      IntVector c = IntVector.fromArray(SPECIES, s, HALF_ROW + (i + 8) * LANES);
      IntVector d = IntVector.fromArray(SPECIES, s, HALF_ROW + (i + 12) * LANES);
      IntVector a1 = a.blend(b.rearrange(UP_4), HIGH_4);
      IntVector b1 = a.rearrange(DOWN_4).blend(b, HIGH_4);
      IntVector c1 = c.blend(d.rearrange(UP_4), HIGH_4);
      IntVector d1 = c.rearrange(DOWN_4).blend(d, HIGH_4);
      a1.blend(c1.rearrange(UP_8), HIGH_8).intoArray(s, i * LANES);
      b1.blend(d1.rearrange(UP_8), HIGH_8).intoArray(s, (i + 4) * LANES);
      a1.rearrange(DOWN_8).blend(c1, HIGH_8).intoArray(s, (i + 8) * LANES);
      b1.rearrange(DOWN_8).blend(d1, HIGH_8).intoArray(s, (i + 12) * LANES);
    }
  }

  // Longer than a method should be, for the first of the three rules above.
  private static void compress(int[] s, int flags) {
    IntVector v0 = IntVector.fromArray(SPECIES, s, CV_ROW);
    IntVector v1 = IntVector.fromArray(SPECIES, s, CV_ROW + 1 * LANES);
    IntVector v2 = IntVector.fromArray(SPECIES, s, CV_ROW + 2 * LANES);
    IntVector v3 = IntVector.fromArray(SPECIES, s, CV_ROW + 3 * LANES);
    IntVector v4 = IntVector.fromArray(SPECIES, s, CV_ROW + 4 * LANES);
    IntVector v5 = IntVector.fromArray(SPECIES, s, CV_ROW + 5 * LANES);
    IntVector v6 = IntVector.fromArray(SPECIES, s, CV_ROW + 6 * LANES);
    IntVector v7 = IntVector.fromArray(SPECIES, s, CV_ROW + 7 * LANES);
    IntVector v8 = IntVector.broadcast(SPECIES, CompressionFunction.iv(0));
    IntVector v9 = IntVector.broadcast(SPECIES, CompressionFunction.iv(1));
    IntVector v10 = IntVector.broadcast(SPECIES, CompressionFunction.iv(2));
    IntVector v11 = IntVector.broadcast(SPECIES, CompressionFunction.iv(3));
    IntVector v12 = IntVector.fromArray(SPECIES, s, COUNTER_ROW);
    IntVector v13 = IntVector.fromArray(SPECIES, s, COUNTER_ROW + LANES);
    IntVector v14 = IntVector.broadcast(SPECIES, BLOCK_BYTES);
    IntVector v15 = IntVector.broadcast(SPECIES, flags);
    for (int r = 0; r < CompressionFunction.ROUNDS * CompressionFunction.BLOCK_WORDS; r += 16) {
      v0 = v0.add(IntVector.fromArray(SPECIES, s, SCHEDULE[r + 0])).add(v4);
      v1 = v1.add(IntVector.fromArray(SPECIES, s, SCHEDULE[r + 2])).add(v5);
      v2 = v2.add(IntVector.fromArray(SPECIES, s, SCHEDULE[r + 4])).add(v6);
      v3 = v3.add(IntVector.fromArray(SPECIES, s, SCHEDULE[r + 6])).add(v7);
      v12 = v12.lanewise(XOR, v0).lanewise(ROR, 16);
      v13 = v13.lanewise(XOR, v1).lanewise(ROR, 16);
      v14 = v14.lanewise(XOR, v2).lanewise(ROR, 16);
      v15 = v15.lanewise(XOR, v3).lanewise(ROR, 16);
      v8 = v8.add(v12);
      v9 = v9.add(v13);
      v10 = v10.add(v14);
      v11 = v11.add(v15);
      v4 = v4.lanewise(XOR, v8).lanewise(ROR, 12);
      v5 = v5.lanewise(XOR, v9).lanewise(ROR, 12);
      v6 = v6.lanewise(XOR, v10).lanewise(ROR, 12);
      v7 = v7.lanewise(XOR, v11).lanewise(ROR, 12);
      v0 = v0.add(IntVector.fromArray(SPECIES, s, SCHEDULE[r + 1])).add(v4);
      v1 = v1.add(IntVector.fromArray(SPECIES, s, SCHEDULE[r + 3])).add(v5);
      v2 = v2.add(IntVector.fromArray(SPECIES, s, SCHEDULE[r + 5])).add(v6);
      v3 = v3.add(IntVector.fromArray(SPECIES, s, SCHEDULE[r + 7])).add(v7);
      v12 = v12.lanewise(XOR, v0).lanewise(ROR, 8);
      v13 = v13.lanewise(XOR, v1).lanewise(ROR, 8);
      v14 = v14.lanewise(XOR, v2).lanewise(ROR, 8);
      v15 = v15.lanewise(XOR, v3).lanewise(ROR, 8);
      v8 = v8.add(v12);
      v9 = v9.add(v13);
      v10 = v10.add(v14);
      v11 = v11.add(v15);
      v4 = v4.lanewise(XOR, v8).lanewise(ROR, 7);
      v5 = v5.lanewise(XOR, v9).lanewise(ROR, 7);
      v6 = v6.lanewise(XOR, v10).lanewise(ROR, 7);
      v7 = v7.lanewise(XOR, v11).lanewise(ROR, 7);
      v0 = v0.add(IntVector.fromArray(SPECIES, s, SCHEDULE[r + 8])).add(v5);
      v1 = v1.add(IntVector.fromArray(SPECIES, s, SCHEDULE[r + 10])).add(v6);
      v2 = v2.add(IntVector.fromArray(SPECIES, s, SCHEDULE[r + 12])).add(v7);
      v3 = v3.add(IntVector.fromArray(SPECIES, s, SCHEDULE[r + 14])).add(v4);
      v15 = v15.lanewise(XOR, v0).lanewise(ROR, 16);
      v12 = v12.lanewise(XOR, v1).lanewise(ROR, 16);
      v13 = v13.lanewise(XOR, v2).lanewise(ROR, 16);
      v14 = v14.lanewise(XOR, v3).lanewise(ROR, 16);
      v10 = v10.add(v15);
      v11 = v11.add(v12);
      v8 = v8.add(v13);
      v9 = v9.add(v14);
      v5 = v5.lanewise(XOR, v10).lanewise(ROR, 12);
      v6 = v6.lanewise(XOR, v11).lanewise(ROR, 12);
      v7 = v7.lanewise(XOR, v8).lanewise(ROR, 12);
      v4 = v4.lanewise(XOR, v9).lanewise(ROR, 12);
      v0 = v0.add(IntVector.fromArray(SPECIES, s, SCHEDULE[r + 9])).add(v5);
      v1 = v1.add(IntVector.fromArray(SPECIES, s, SCHEDULE[r + 11])).add(v6);
      v2 = v2.add(IntVector.fromArray(SPECIES, s, SCHEDULE[r + 13])).add(v7);
      v3 = v3.add(IntVector.fromArray(SPECIES, s, SCHEDULE[r + 15])).add(v4);
      v15 = v15.lanewise(XOR, v0).lanewise(ROR, 8);
      v12 = v12.lanewise(XOR, v1).lanewise(ROR, 8);
      v13 = v13.lanewise(XOR, v2).lanewise(ROR, 8);
      v14 = v14.lanewise(XOR, v3).lanewise(ROR, 8);
      v10 = v10.add(v15);
      v11 = v11.add(v12);
      v8 = v8.add(v13);
      v9 = v9.add(v14);
      v5 = v5.lanewise(XOR, v10).lanewise(ROR, 7);
      v6 = v6.lanewise(XOR, v11).lanewise(ROR, 7);
      v7 = v7.lanewise(XOR, v8).lanewise(ROR, 7);
      v4 = v4.lanewise(XOR, v9).lanewise(ROR, 7);
    }
    v0.lanewise(XOR, v8).intoArray(s, CV_ROW);
    v1.lanewise(XOR, v9).intoArray(s, CV_ROW + 1 * LANES);
    v2.lanewise(XOR, v10).intoArray(s, CV_ROW + 2 * LANES);
    v3.lanewise(XOR, v11).intoArray(s, CV_ROW + 3 * LANES);
    v4.lanewise(XOR, v12).intoArray(s, CV_ROW + 4 * LANES);
    v5.lanewise(XOR, v13).intoArray(s, CV_ROW + 5 * LANES);
    v6.lanewise(XOR, v14).intoArray(s, CV_ROW + 6 * LANES);
    v7.lanewise(XOR, v15).intoArray(s, CV_ROW + 7 * LANES);
  }
}
