package dev.ron.rewarder.core.score;

import java.util.Arrays;

/**
 * Scores by actor in tables that fit the cache.
 *
 * <p>One table holds the actors of a small epoch. A large one is split into {@link #PARTS} tables
 * by the actor's hash, and a line first waits in its part's buffer with others of that part: a
 * table is then in the cache for all that were waiting for it. Going to one large table line by
 * line waits for memory each time, which took three quarters of the whole work.
 *
 * <p>Threading: owned by the thread that adds to it.
 */
public final class ScoreParts {
  public static final int PARTS = 256;

  /** About half a mebibyte, which is what a core may be expected to have near it. */
  private static final int WHOLE_ACTORS_MAX = 8192;

  /** An eighth of the memory is for lines that wait. */
  private static final int WAITING_SHARE = 8;

  private static final int WAITING_BYTES_MAX = 128 << 10;

  /** With less room a split would cost more than it saves. */
  private static final int WAITING_BYTES_MIN = 4 << 10;

  /** Before the actor: the product's low part, its high part, the hash, pool and length. */
  private static final int HEAD_BYTES = 20;

  private final int pools;
  private final int waitingBytes;
  private ScoreTable[] tables;
  private byte[][] waiting = {};
  private final int[] ends = new int[PARTS];
  private boolean overflowed;

  /**
   * @param memoryBytes what all of it is meant to take; it does not see to that itself
   */
  public ScoreParts(int pools, long memoryBytes) {
    this.pools = pools;
    this.waitingBytes = (int) Math.min(WAITING_BYTES_MAX, memoryBytes / WAITING_SHARE / PARTS);
    this.tables = new ScoreTable[] {new ScoreTable(pools)};
  }

  /** Adds to an actor's score in one pool. */
  public void add(byte[] bytes, int from, int length, int pool, long high, long low) {
    int hash = Octets.hash(bytes, from, length);
    if (waiting.length > 0 && high >>> 31 == 0) {
      await(hash, bytes, from, length, pool, (int) high, low);
      return;
    }
    ScoreTable table = at(hash);
    table.add(table.entry(hash, bytes, from, length), pool, high, low);
    if (table.size() > WHOLE_ACTORS_MAX
        && tables.length == 1
        && waitingBytes >= WAITING_BYTES_MIN) {
      split();
      waiting = new byte[PARTS][waitingBytes];
    }
  }

  public void addBadLines(byte[] bytes, int from, int length, int bits) {
    int hash = Octets.hash(bytes, from, length);
    ScoreTable table = at(hash);
    table.addBadLines(table.entry(hash, bytes, from, length), bits);
  }

  private ScoreTable at(int hash) {
    return tables[tables.length == 1 ? 0 : hash >>> 24];
  }

  private void await(int hash, byte[] bytes, int from, int length, int pool, int high, long low) {
    int part = hash >>> 24;
    int end = ends[part];
    if (end + HEAD_BYTES + length > waitingBytes) {
      settle(part);
      end = 0;
    }
    byte[] lines = waiting[part];
    Octets.LONGS.set(lines, end, low);
    Octets.LONGS.set(lines, end + 8, ((long) hash << 32) | high);
    Octets.INTS.set(lines, end + 16, (pool << 16) | length);
    System.arraycopy(bytes, from, lines, end + HEAD_BYTES, length);
    ends[part] = end + HEAD_BYTES + length;
  }

  private void settle(int part) {
    byte[] lines = waiting[part];
    ScoreTable table = tables[part];
    int end = ends[part];
    if (end > waitingBytes / 2) {
      table.approach();
    }
    for (int at = 0; at < end; ) {
      long low = (long) Octets.LONGS.get(lines, at);
      long hashAndHigh = (long) Octets.LONGS.get(lines, at + 8);
      int poolAndLength = (int) Octets.INTS.get(lines, at + 16);
      int length = poolAndLength & 0xffff;
      int entry = table.entry((int) (hashAndHigh >>> 32), lines, at + HEAD_BYTES, length);
      table.add(entry, poolAndLength >>> 16, hashAndHigh & 0xffff_ffffL, low);
      at += HEAD_BYTES + length;
    }
    ends[part] = 0;
  }

  /** Adds what waits to the tables; before they are looked at. */
  public void settle() {
    for (int part = 0; part < waiting.length; part++) {
      settle(part);
    }
  }

  /** Brings every actor to the table of its part. */
  public void split() {
    if (tables.length == PARTS) {
      return;
    }
    ScoreTable whole = tables[0];
    var parts = new ScoreTable[PARTS];
    Arrays.setAll(parts, _ -> new ScoreTable(pools));
    for (int i = 0; i < whole.size(); i++) {
      parts[whole.hash(i) >>> 24].addEntry(whole, i);
    }
    overflowed |= whole.overflowed();
    tables = parts;
  }

  /** One, or {@link #PARTS}. */
  public int tables() {
    return tables.length;
  }

  public ScoreTable table(int number) {
    return tables[number];
  }

  public int pools() {
    return pools;
  }

  /** How many actors there are among the lines that do not wait. */
  public long size() {
    long size = 0;
    for (ScoreTable table : tables) {
      size += table.size();
    }
    return size;
  }

  public long bytes() {
    long bytes = (long) waiting.length * waitingBytes;
    for (ScoreTable table : tables) {
      bytes += table.bytes();
    }
    return bytes;
  }

  /** Some score was not below 2^127; then none of them is right. */
  public boolean overflowed() {
    return overflowed || Arrays.stream(tables).anyMatch(ScoreTable::overflowed);
  }

  /** Forgets all actors and gives their memory back; an overflow is not forgotten. */
  public void clear() {
    overflowed = overflowed();
    tables = new ScoreTable[] {new ScoreTable(pools)};
    waiting = new byte[][] {};
    Arrays.fill(ends, 0);
  }

  /** Takes everything of another one, which is empty then. */
  public void addAll(ScoreParts other) {
    settle();
    other.settle();
    if (tables.length != other.tables.length) {
      split();
      other.split();
    }
    for (int i = 0; i < tables.length; i++) {
      tables[i].addAll(other.tables[i]);
      other.tables[i] = new ScoreTable(pools);
    }
    overflowed |= other.overflowed;
    other.clear();
  }
}
