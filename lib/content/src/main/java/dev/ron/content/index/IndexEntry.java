package dev.ron.content.index;

import dev.ron.content.AddressKey;
import dev.ron.content.segment.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * What the index knows of one address.
 *
 * <p>Threading: immutable.
 *
 * @param segment where its newest record is
 * @param offset at which byte of the segment that record begins
 * @param length of the object
 * @param sequence of the last record that said something about the address
 * @param moment when it was deleted, in milliseconds of the calendar
 * @param copies how many records of it lie in segments, the dead ones included: while there is one,
 *     forgetting that the object was deleted would bring it back
 * @param flags the bits below
 */
public record IndexEntry(
    AddressKey key,
    int segment,
    long offset,
    long length,
    long sequence,
    long moment,
    int copies,
    int flags) {
  /** Not to be found. */
  static final int DELETED = 1;

  /** All its groups were verified where they are now, by this process. */
  static final int VERIFIED = 2;

  /** A group was found damaged; the next put stores the object anew. */
  public static final int CORRUPT = 4;

  /** Bits that are only true of this process. */
  static final int TRANSIENT = VERIFIED;

  public boolean visible() {
    return (flags & DELETED) == 0;
  }

  public boolean has(int flag) {
    return (flags & flag) != 0;
  }

  public boolean at(int someSegment, long someOffset) {
    return segment == someSegment && offset == someOffset;
  }

  public IndexEntry with(int flag) {
    return new IndexEntry(key, segment, offset, length, sequence, moment, copies, flags | flag);
  }

  IndexEntry without(int flag) {
    return new IndexEntry(key, segment, offset, length, sequence, moment, copies, flags & ~flag);
  }

  public IndexEntry withCopies(int count) {
    return new IndexEntry(key, segment, offset, length, sequence, moment, count, flags);
  }

  /** After a tombstone; the place stays, because the bytes do until the grace has passed. */
  public IndexEntry deleted(long tombstone, long at) {
    int kept = (flags & ~VERIFIED) | DELETED;
    return new IndexEntry(key, segment, offset, length, tombstone, at, copies, kept);
  }

  /** Where a deleted object's bytes are, for one whose tombstone was found first. */
  public IndexEntry placed(int inSegment, long atOffset) {
    return new IndexEntry(key, inSegment, atOffset, length, sequence, moment, copies, flags);
  }

  /** After a tombstone that a start found, perhaps before the object. */
  public static IndexEntry buried(@Nullable IndexEntry before, RecordHeader tombstone) {
    IndexEntry entry = before;
    if (entry == null) {
      entry = new IndexEntry(tombstone.key(), 0, 0, 0, 0, 0, 0, 0);
    }
    return entry.deleted(tombstone.sequence(), tombstone.moment());
  }

  /** After a record of the object: a new one, or a copy that compaction made. */
  public static IndexEntry stored(
      @Nullable IndexEntry before, RecordHeader header, int segment, long offset) {
    int copies = before == null ? 1 : before.copies + 1;
    return new IndexEntry(
        header.key(), segment, offset, header.length(), header.sequence(), 0, copies, 0);
  }

  /** The sum of sizes of what can be read changes by this much when an entry is replaced. */
  static long visibleBytes(@Nullable IndexEntry entry) {
    return entry != null && entry.visible() ? entry.length : 0;
  }

  static long corruptCount(@Nullable IndexEntry entry) {
    return entry != null && entry.visible() && entry.has(CORRUPT) ? 1 : 0;
  }

  static long hiddenCount(@Nullable IndexEntry entry) {
    return entry != null && !entry.visible() ? 1 : 0;
  }

  static long visibleCount(@Nullable IndexEntry entry) {
    return entry != null && entry.visible() ? 1 : 0;
  }
}
