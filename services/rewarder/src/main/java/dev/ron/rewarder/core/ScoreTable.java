package dev.ron.rewarder.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Scores by actor: an open-addressed table over bytes, without an object for each actor.
 *
 * <p>Actors lie one behind the other in pages of a mebibyte, each after its length. Growing the
 * table moves numbers only.
 *
 * <p>Threading: owned by whoever adds to it.
 */
public final class ScoreTable {
  /** Longer names are refused by the scanners. */
  public static final int ACTOR_BYTES_MAX = 512;

  private static final int PAGE_BITS = 20;
  private static final int PAGE_BYTES = 1 << PAGE_BITS;
  private static final int FIRST_PAGE_BYTES = 4096;
  private static final int ACTORS_MIN = 64;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final int pools;
  private final List<byte[]> pages = new ArrayList<>();
  private int pageEnd = PAGE_BYTES;
  private int[] slots = new int[2 * ACTORS_MIN];
  private int[] hashes = new int[ACTORS_MIN];
  private int[] places = new int[ACTORS_MIN];
  private byte[] badLines = new byte[ACTORS_MIN];
  private long[] scores;
  private int size;
  private boolean overflowed;

  public ScoreTable(int pools) {
    this.pools = pools;
    this.scores = new long[2 * pools * ACTORS_MIN];
  }

  /** The place of an actor, made if it is new. */
  public int entry(byte[] bytes, int from, int length) {
    if (size == hashes.length) {
      grow();
    }
    int hash = hash(bytes, from, length);
    int mask = slots.length - 1;
    for (int slot = hash & mask; ; slot = (slot + 1) & mask) {
      int found = slots[slot] - 1;
      if (found < 0) {
        slots[slot] = size + 1;
        return insert(hash, bytes, from, length);
      }
      if (hashes[found] == hash && same(found, bytes, from, length)) {
        return found;
      }
    }
  }

  public void add(int entry, int pool, long high, long low) {
    int at = 2 * (entry * pools + pool);
    long sum = scores[at + 1] + low;
    long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
    long top = scores[at] + high + carry;
    if (top < 0) {
      // Nothing is negative, so whoever adds up the same lines in any order comes here too.
      overflowed = true;
      return;
    }
    scores[at] = top;
    scores[at + 1] = sum;
  }

  public void addBadLines(int entry, int bits) {
    badLines[entry] |= (byte) bits;
  }

  public int size() {
    return size;
  }

  /** Some score was not below 2^127; then none of them is right. */
  public boolean overflowed() {
    return overflowed;
  }

  public void overflow() {
    overflowed = true;
  }

  public int pools() {
    return pools;
  }

  /** What it takes in memory, at its next growth. */
  public long bytes() {
    return (long) pages.size() * PAGE_BYTES
        + hashes.length * (8L + 1 + 16L * pools)
        + slots.length * 4L;
  }

  public void clear() {
    pages.clear();
    pageEnd = PAGE_BYTES;
    size = 0;
    Arrays.fill(slots, 0);
    Arrays.fill(badLines, (byte) 0);
    Arrays.fill(scores, 0);
  }

  public byte[] page(int entry) {
    return pages.get(places[entry] >>> PAGE_BITS);
  }

  public int actorOffset(int entry) {
    return (places[entry] & (PAGE_BYTES - 1)) + 2;
  }

  public int actorLength(int entry) {
    byte[] page = page(entry);
    int at = places[entry] & (PAGE_BYTES - 1);
    return ((page[at] & 0xff) << 8) | (page[at + 1] & 0xff);
  }

  public int hash(int entry) {
    return hashes[entry];
  }

  public int badLines(int entry) {
    return badLines[entry];
  }

  public Wide score(int entry, int pool) {
    int at = 2 * (entry * pools + pool);
    return new Wide(scores[at], scores[at + 1]);
  }

  /** Adds everything of another table. */
  public void addAll(ScoreTable other) {
    for (int i = 0; i < other.size; i++) {
      int entry = entry(other.page(i), other.actorOffset(i), other.actorLength(i));
      addBadLines(entry, other.badLines[i]);
      for (int pool = 0; pool < pools; pool++) {
        int at = 2 * (i * pools + pool);
        add(entry, pool, other.scores[at], other.scores[at + 1]);
      }
    }
    overflowed |= other.overflowed;
  }

  private int insert(int hash, byte[] bytes, int from, int length) {
    if (pageEnd + length + 2 > PAGE_BYTES) {
      pages.add(new byte[pages.isEmpty() ? FIRST_PAGE_BYTES : PAGE_BYTES]);
      pageEnd = 0;
    }
    byte[] page = pages.getLast();
    if (pageEnd + length + 2 > page.length) {
      // Only the first page is ever shorter: a small epoch need not pay for a large one.
      page = Arrays.copyOf(page, Math.min(PAGE_BYTES, 4 * page.length));
      pages.set(pages.size() - 1, page);
    }
    page[pageEnd] = (byte) (length >>> 8);
    page[pageEnd + 1] = (byte) length;
    System.arraycopy(bytes, from, page, pageEnd + 2, length);
    hashes[size] = hash;
    places[size] = ((pages.size() - 1) << PAGE_BITS) | pageEnd;
    pageEnd += length + 2;
    return size++;
  }

  private void grow() {
    int capacity = Math.multiplyExact(2, hashes.length);
    hashes = Arrays.copyOf(hashes, capacity);
    places = Arrays.copyOf(places, capacity);
    badLines = Arrays.copyOf(badLines, capacity);
    scores = Arrays.copyOf(scores, Math.multiplyExact(2 * pools, capacity));
    slots = new int[2 * capacity];
    int mask = slots.length - 1;
    for (int i = 0; i < size; i++) {
      int slot = hashes[i] & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = i + 1;
    }
  }

  private boolean same(int entry, byte[] bytes, int from, int length) {
    byte[] page = page(entry);
    int at = (places[entry] & (PAGE_BYTES - 1)) + 2;
    return (((page[at - 2] & 0xff) << 8) | (page[at - 1] & 0xff)) == length
        && Arrays.equals(page, at, at + length, bytes, from, from + length);
  }

  /** Eight bytes at a time, multiplied and folded. */
  static int hash(byte[] bytes, int from, int length) {
    long hash = length * 0x9e37_79b9_7f4a_7c15L;
    int at = from;
    int end = from + length;
    for (; at + 8 <= end; at += 8) {
      hash = (hash ^ (long) LONGS.get(bytes, at)) * 0xff51_afd7_ed55_8ccdL;
      hash ^= hash >>> 32;
    }
    long tail = 0;
    for (; at < end; at++) {
      tail = (tail << 8) | (bytes[at] & 0xff);
    }
    hash = (hash ^ tail) * 0xc4ce_b9fe_1a85_ec53L;
    return (int) ((hash >>> 32) ^ (hash >>> 9));
  }
}
