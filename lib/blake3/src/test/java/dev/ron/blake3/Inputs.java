package dev.ron.blake3;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Bytes to hash. */
public final class Inputs {
  private Inputs() {}

  /** Seeded, so that a failure can be repeated. */
  public static byte[] random(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** The input of the official vectors: 0, 1, ... 250, 0, 1, ... */
  public static byte[] cycling(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i % 251);
    }
    return bytes;
  }

  /** The input of the bao vectors: a 32-bit little-endian count from 1. */
  static byte[] counting(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) ((i / 4 + 1) >>> (8 * (i % 4)));
    }
    return bytes;
  }

  /** The bytes of a range, as far as the input goes. */
  public static byte[] part(byte[] in, long start, long length) {
    int from = (int) Math.min(start, in.length);
    int to = (int) Math.min(in.length, from + Math.min(length, in.length));
    return Arrays.copyOfRange(in, from, to);
  }

  /** The same bytes with one bit turned. */
  public static byte[] flipped(byte[] in, long bit) {
    byte[] out = in.clone();
    out[(int) (bit / 8)] ^= (byte) (1 << (bit % 8));
    return out;
  }

  /** One below, at and one above every power of two from {@code least} to {@code most}. */
  static List<Integer> aroundPowersOfTwo(int least, int most) {
    List<Integer> lengths = new ArrayList<>();
    for (int n = least; n <= most; n *= 2) {
      lengths.add(n - 1);
      lengths.add(n);
      lengths.add(n + 1);
    }
    return lengths;
  }
}
