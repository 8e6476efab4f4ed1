package dev.ron.content.store;

import dev.ron.content.AddressKey;
import dev.ron.content.Pins;
import dev.ron.content.StoreMeters;
import dev.ron.content.index.AddressIndex;
import dev.ron.content.index.IndexEntry;
import dev.ron.content.segment.RecordHeader;
import dev.ron.content.segment.Segment;
import dev.ron.content.segment.Segments;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What is stored and where: the index, the segments, and the order of commits, kept in step.
 *
 * <p>Threading: reading is thread-safe; changes are made by the group commit alone, except {@link
 * #released}, which the housekeeping calls for segments that no commit can point to any more.
 */
final class ContentCatalogue {
  private final AddressIndex index;
  private final Segments segments;
  private final StoreMeters meters;
  private final Pins pins = new Pins();
  private final AtomicLong sequence = new AtomicLong();
  private final AtomicLong written = new AtomicLong();

  private volatile boolean settled = true;
  private volatile boolean doubtful;

  ContentCatalogue(AddressIndex index, Segments segments, StoreMeters meters, long lastSequence) {
    this.index = index;
    this.segments = segments;
    this.meters = meters;
    this.sequence.set(lastSequence);
  }

  AddressIndex index() {
    return index;
  }

  Segments segments() {
    return segments;
  }

  Pins pins() {
    return pins;
  }

  StoreMeters meters() {
    return meters;
  }

  long lastSequence() {
    return sequence.get();
  }

  long nextSequence() {
    return sequence.incrementAndGet();
  }

  /** Bytes that were committed since the start. */
  long writtenBytes() {
    return written.get();
  }

  /** An object that can be read and need not be stored again. */
  @Nullable IndexEntry sound(AddressKey key) {
    IndexEntry entry = index.visible(key);
    return entry != null && !entry.has(IndexEntry.CORRUPT) ? entry : null;
  }

  /** A record of an object is durable. */
  void stored(RecordHeader header, Segment segment, long offset) {
    IndexEntry before =
        index.update(
            header.key(), entry -> IndexEntry.stored(entry, header, segment.number(), offset));
    unlive(before);
    segment.live(header.recordBytes());
    wrote(header.recordBytes());
  }

  /**
   * Hides an object unless it is pinned, before its tombstone is written: should the tombstone
   * reach the disk although writing it failed, no caller has been told since that the object is
   * there.
   *
   * @return the entry before, to say how it went
   */
  @Nullable IndexEntry delete(AddressKey key, long tombstone, long moment) {
    IndexEntry before =
        index.update(
            key,
            entry ->
                entry == null || !entry.visible() || pins.has(key.address())
                    ? entry
                    : entry.deleted(tombstone, moment));
    if (before != null && before.visible() && index.visible(key) == null) {
      unlive(before);
      Segment segment = segments.find(before.segment());
      if (segment != null) {
        segment.deleted(moment);
      }
      wrote(RecordHeader.BYTES);
    }
    return before;
  }

  /**
   * A commit failed on the disk, or its caller could not wait for it: a record may be there, or
   * come, that the caller was not told of. From now on a delete leaves a tombstone whatever the
   * index says, or a start could bring back what a caller was told is not there.
   */
  void doubtful() {
    doubtful = true;
  }

  boolean isDoubtful() {
    return doubtful;
  }

  /** A tombstone of an object that the index does not show is on its way. */
  void buried(RecordHeader tombstone) {
    index.update(tombstone.key(), entry -> IndexEntry.buried(entry, tombstone));
    wrote(RecordHeader.BYTES);
  }

  /**
   * A delete failed on the disk: the object is hidden from callers, and whether its tombstone is
   * there only the segments know. A snapshot must not say so: a start that reads it would hide what
   * a later one, from the segments, would show again.
   */
  void unsettled() {
    settled = false;
  }

  /** Whether everything the index says is in the segments too. */
  boolean isSettled() {
    return settled;
  }

  private void wrote(long bytes) {
    written.addAndGet(bytes);
    meters.writtenBytes().inc(bytes);
  }

  /** Bytes were found not to be those that were stored: the next put of the address repairs it. */
  void corrupt(IndexEntry entry) {
    index.flag(entry, IndexEntry.CORRUPT);
    meters.integrityFailures().inc();
  }

  /** Whether a record that was copied is still the one that counts. */
  boolean current(int segment, CommitRequest.Move move) {
    IndexEntry entry = index.find(move.header().key());
    return entry != null
        && switch (move.header().kind()) {
          case OBJECT -> entry.visible() && entry.at(segment, move.fromOffset());
          case TOMBSTONE -> !entry.visible() && entry.sequence() == move.header().sequence();
          case SEAL, VOID -> false;
        };
  }

  /** A copy is durable and takes the place of the record it was made from. */
  void moved(RecordHeader header, Segment to, long offset) {
    if (header.kind() == RecordHeader.Kind.TOMBSTONE) {
      index.update(
          header.key(),
          entry -> entry == null ? null : entry.deleted(header.sequence(), entry.moment()));
      to.tombstones(1);
      return;
    }
    IndexEntry before =
        index.update(
            header.key(),
            entry -> {
              IndexEntry copy = IndexEntry.stored(entry, header, to.number(), offset);
              return entry != null && entry.has(IndexEntry.CORRUPT)
                  ? copy.with(IndexEntry.CORRUPT)
                  : copy;
            });
    unlive(before);
    to.live(header.recordBytes());
  }

  /**
   * A record of an object is gone for good, with its segment.
   *
   * @param forget whether a deleted object of which no record is left needs no tombstone any more
   */
  void released(AddressKey key, boolean forget) {
    index.update(
        key,
        entry -> {
          if (entry == null) {
            return null;
          }
          int left = Math.max(0, entry.copies() - 1);
          return left == 0 && !entry.visible() && forget ? null : entry.withCopies(left);
        });
  }

  boolean pin(AddressKey key) {
    IndexEntry found =
        index.update(
            key,
            entry -> {
              if (entry != null && entry.visible()) {
                pins.add(key.address());
              }
              return entry;
            });
    return found != null && found.visible();
  }

  private void unlive(@Nullable IndexEntry before) {
    if (before != null && before.visible()) {
      Segment segment = segments.find(before.segment());
      if (segment != null) {
        segment.live(-RecordHeader.objectRecordBytes(before.length()));
      }
    }
  }
}
