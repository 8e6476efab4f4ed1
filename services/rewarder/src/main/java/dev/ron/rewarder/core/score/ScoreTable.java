package dev.ron.rewarder.core.score;

import dev.ron.rewarder.core.Wide;
import java.util.Arrays;

/**
 * Scores by actor: an open-addressed table over bytes, without an object for each actor.
 *
 * <p>Actors lie one behind the other, each after its length. Growing the table moves numbers only.
 *
 * <p>Threading: owned by the thread that adds to it.
 */
public final class ScoreTable {
  /** Longer names are refused by the scanners. */
  public static final int ACTOR_BYTES_MAX = 512;

  private static final int ACTORS_MIN = 64;
  private static final int CACHE_LINE_LONGS = 8;
  private static final int LENGTH_BYTES = Integer.BYTES;

  private final int pools;
  private final int stride;
  private byte[] names = new byte[ACTORS_MIN * 16];
  private int namesEnd;

  /** For each slot the hash and, one higher, the entry: most misses are seen without looking on. */
  private long[] slots = new long[2 * ACTORS_MIN];

  /** For each entry its hash and place, then its scores: one line of the cache for most. */
  private long[] rows;

  private byte[] badLines = new byte[ACTORS_MIN];
  private int size;

  @SuppressWarnings("UnusedVariable") // written so that the loads before it are done
  private long lastSeen;

  private boolean overflowed;

  public ScoreTable(int pools) {
    this.pools = pools;
    this.stride = 1 + 2 * pools;
    this.rows = new long[stride * ACTORS_MIN];
  }

  /** The place of an actor, made if it is new. */
  public int entry(byte[] bytes, int from, int length) {
    return entry(Octets.hash(bytes, from, length), bytes, from, length);
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

  /**
   * Reads all of it from one end to the other, which memory is quick at, so that it is in the cache
   * for many lookups to come.
   */
  void approach() {
    long seen = 0;
    for (int i = 0; i < slots.length; i += CACHE_LINE_LONGS) {
      seen ^= slots[i];
    }
    for (int i = 0; i < size * stride; i += CACHE_LINE_LONGS) {
      seen ^= rows[i];
    }
    for (int i = 0; i < namesEnd; i += CACHE_LINE_LONGS * Long.BYTES) {
      seen ^= names[i];
    }
    // Kept, so that the compiler must do the loads.
    lastSeen = seen;
  }

  public void add(int entry, int pool, long high, long low) {
    int at = entry * stride + 1 + 2 * pool;
    long sum = rows[at + 1] + low;
    long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
    long top = rows[at] + high + carry;
    if (top < 0) {
      // Nothing is negative, so adding up the same lines in any order comes here too.
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

  public int pools() {
    return pools;
  }

  /** What it takes in memory. */
  public long bytes() {
    return names.length + 8L * rows.length + badLines.length + 8L * slots.length;
  }

  /** Holds all actors; until the next one is added. */
  public byte[] names() {
    return names;
  }

  public int actorOffset(int entry) {
    return place(entry) + LENGTH_BYTES;
  }

  public int actorLength(int entry) {
    return (int) Octets.INTS.get(names, place(entry));
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
      addEntry(other, i);
    }
    overflowed |= other.overflowed;
  }

  /** Adds one actor of another table. */
  void addEntry(ScoreTable other, int theirs) {
    int entry =
        entry(
            other.hash(theirs), other.names, other.actorOffset(theirs), other.actorLength(theirs));
    addBadLines(entry, other.badLines[theirs]);
    for (int pool = 0; pool < pools; pool++) {
      int at = theirs * stride + 1 + 2 * pool;
      add(entry, pool, other.rows[at], other.rows[at + 1]);
    }
  }

  private int insert(int hash, byte[] bytes, int from, int length) {
    int end = Math.addExact(namesEnd, LENGTH_BYTES + length);
    if (end > names.length) {
      names = Arrays.copyOf(names, Math.max(end, Math.addExact(names.length, names.length / 2)));
    }
    Octets.INTS.set(names, namesEnd, length);
    System.arraycopy(bytes, from, names, namesEnd + LENGTH_BYTES, length);
    rows[size * stride] = ((long) hash << 32) | namesEnd;
    namesEnd = end;
    return size++;
  }

  private void grow() {
    int capacity = Math.multiplyExact(2, badLines.length);
    badLines = Arrays.copyOf(badLines, capacity);
    rows = Arrays.copyOf(rows, Math.multiplyExact(stride, capacity));
    slots = new long[Math.multiplyExact(2, capacity)];
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
    int at = place(entry);
    return (int) Octets.INTS.get(names, at) == length
        && Octets.same(names, at + LENGTH_BYTES, bytes, from, length);
  }
}
