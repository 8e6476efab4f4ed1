package dev.ron.content.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.blake3.HashTree;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which groups were verified since the start, for {@code VerifyMode#ONCE}.
 *
 * <p>An object that is verified in full has a flag in the index, which goes when compaction moves
 * it. For those that are verified in part there is a bitmap; the bitmaps are bounded, and one that
 * is forgotten means that its groups are hashed again.
 *
 * <p>Threading: thread-safe; {@code lock} guards the bitmaps.
 */
public final class VerifiedGroups {
  /** 64 million groups: bitmaps of 4 TiB of objects that are read in part. */
  private static final long BITS_MAX = 64L << 20;

  private final AddressIndex index;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final LinkedHashMap<Place, BitSet> partly = new LinkedHashMap<>(16, 0.75f, true);

  @GuardedBy("lock") private long bits;

  /** A record; a copy of it is another place. */
  private record Place(int segment, long offset) {
    static Place of(IndexEntry entry) {
      return new Place(entry.segment(), entry.offset());
    }
  }

  public VerifiedGroups(AddressIndex index) {
    this.index = index;
  }

  public boolean has(IndexEntry entry, long first, long afterLast) {
    if (entry.has(IndexEntry.VERIFIED)) {
      return true;
    }
    lock.lock();
    try {
      BitSet groups = partly.get(Place.of(entry));
      return groups != null && groups.nextClearBit((int) first) >= afterLast;
    } finally {
      lock.unlock();
    }
  }

  public void add(IndexEntry entry, long group) {
    long count = HashTree.groups(entry.length());
    if (count == 1 || complete(entry, (int) group, (int) count)) {
      index.flag(entry, IndexEntry.VERIFIED);
    }
  }

  private boolean complete(IndexEntry entry, int group, int count) {
    lock.lock();
    try {
      BitSet groups = partly.get(Place.of(entry));
      if (groups == null) {
        groups = new BitSet(count);
        partly.put(Place.of(entry), groups);
        bits += groups.size();
        forgetOldest();
      }
      groups.set(group);
      if (groups.cardinality() < count) {
        return false;
      }
      partly.remove(Place.of(entry));
      bits -= groups.size();
      return true;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock") private void forgetOldest() {
    while (bits > BITS_MAX && partly.size() > 1) {
      BitSet oldest = partly.pollFirstEntry().getValue();
      bits -= oldest.size();
    }
  }
}
