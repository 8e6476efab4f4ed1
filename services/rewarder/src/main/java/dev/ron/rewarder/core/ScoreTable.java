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
  private final int stride;
  private final List<byte[]> pages = new ArrayList<>();
  private int pageEnd = PAGE_BYTES;

  /** For each slot the hash and, one higher, the entry: most misses are seen without looking on. */
  private long[] slots = new long[2 * ACTORS_MIN];

  /** For each entry its hash and place, then its scores: one line of the cache for most. */
  private long[] rows;

  private byte[] badLines = new byte[ACTORS_MIN];
  private final long[] approached = new long[128];

  @SuppressWarnings("UnusedVariable") // written so that the loads before it are done
  private byte lastTouched;

  private int size;
  private boolean overflowed;

  public ScoreTable(int pools) {
    this.pools = pools;
    this.stride = 1 + 2 * pools;
    this.rows = new long[stride * ACTORS_MIN];
  }

  /** The place of an actor, made if it is new. */
  public int entry(byte[] bytes, int from, int length) {
    return entry(hash(bytes, from, length), bytes, from, length);
  }

  int entry(int hash, byte[] bytes, int from, int length) {
    if (size == badLines.length) {
      grow();
    }
    int mask = slots.length - 1;
    for (int slot = hash & mask; ; slot = (slot + 1) & mask) {
      long seen = slots[slot];
      if (seen == 0) {
        slots[slot] = ((long) hash << 32) | (size + 1);
        return insert(hash, bytes, from, length);
      }
      if ((int) (seen >>> 32) == hash && same((int) seen - 1, bytes, from, length)) {
        return (int) seen - 1;
      }
    }
  }

  /** Brings the places of these hashes into the cache; the loads do not wait for each other. */
  void approach(int[] hashed, int count) {
    int mask = slots.length - 1;
    long[] seen = approached;
    for (int i = 0; i < count; i++) {
      seen[i] = slots[hashed[i] & mask];
    }
    for (int i = 0; i < count; i++) {
      int entry = (int) seen[i] - 1;
      seen[i] = entry < 0 ? 0 : rows[entry * stride];
    }
    byte touched = 0;
    for (int i = 0; i < count && !pages.isEmpty(); i++) {
      int place = (int) seen[i];
      touched ^= pages.get(place >>> PAGE_BITS)[place & (PAGE_BYTES - 1)];
    }
    // Kept, so that the compiler must do the loads.
    lastTouched = touched;
  }

  public void add(int entry, int pool, long high, long low) {
    int at = entry * stride + 1 + 2 * pool;
    long sum = rows[at + 1] + low;
    long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
    long top = rows[at] + high + carry;
    if (top < 0) {
      // Nothing is negative, so whoever adds up the same lines in any order comes here too.
      overflowed = true;
      return;
    }
    rows[at] = top;
    rows[at + 1] = sum;
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
        + badLines.length * (1 + 8L * stride)
        + slots.length * 8L;
  }

  public void clear() {
    pages.clear();
    pageEnd = PAGE_BYTES;
    size = 0;
    Arrays.fill(slots, 0);
    Arrays.fill(badLines, (byte) 0);
    Arrays.fill(rows, 0);
  }

  public byte[] page(int entry) {
    return pages.get(place(entry) >>> PAGE_BITS);
  }

  public int actorOffset(int entry) {
    return (place(entry) & (PAGE_BYTES - 1)) + 2;
  }

  public int actorLength(int entry) {
    byte[] page = page(entry);
    int at = place(entry) & (PAGE_BYTES - 1);
    return ((page[at] & 0xff) << 8) | (page[at + 1] & 0xff);
  }

  public int hash(int entry) {
    return (int) (rows[entry * stride] >>> 32);
  }

  public int badLines(int entry) {
    return badLines[entry];
  }

  public Wide score(int entry, int pool) {
    int at = entry * stride + 1 + 2 * pool;
    return new Wide(rows[at], rows[at + 1]);
  }

  /** Adds everything of another table. */
  public void addAll(ScoreTable other) {
    for (int i = 0; i < other.size; i++) {
      int entry = entry(other.page(i), other.actorOffset(i), other.actorLength(i));
      addBadLines(entry, other.badLines[i]);
      for (int pool = 0; pool < pools; pool++) {
        int at = i * stride + 1 + 2 * pool;
        add(entry, pool, other.rows[at], other.rows[at + 1]);
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
    int place = ((pages.size() - 1) << PAGE_BITS) | pageEnd;
    rows[size * stride] = ((long) hash << 32) | place;
    pageEnd += length + 2;
    return size++;
  }

  private void grow() {
    int capacity = Math.multiplyExact(2, badLines.length);
    badLines = Arrays.copyOf(badLines, capacity);
    rows = Arrays.copyOf(rows, Math.multiplyExact(stride, capacity));
    slots = new long[2 * capacity];
    int mask = slots.length - 1;
    for (int i = 0; i < size; i++) {
      int hash = hash(i);
      int slot = hash & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = ((long) hash << 32) | (i + 1);
    }
  }

  private int place(int entry) {
    return (int) rows[entry * stride];
  }

  private boolean same(int entry, byte[] bytes, int from, int length) {
    byte[] page = page(entry);
    int at = (place(entry) & (PAGE_BYTES - 1)) + 2;
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
