package dev.ron.content.store;

import dev.ron.content.segment.RecordHeader;
import dev.ron.content.segment.Segment;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which segment is to be compacted next.
 *
 * <p>First one that a flush failed on, to have its records on sound ground. Then one whose bytes
 * are dead for the most part; copying the smaller half is at most one byte written per byte won.
 * Then those with tombstones, when most of these are of no use. Then small ones, if there are many:
 * every start begins new segments.
 *
 * <p>A segment with an object whose grace has not passed waits: its bytes are promised to stay.
 *
 * <p>Threading: immutable.
 */
final class CompactionCandidates {
  /** So many small segments are worth merging; fewer cost nothing. */
  static final int SMALL_MIN = 8;

  private final long segmentBytes;
  private final long graceMillis;

  CompactionCandidates(SegmentConfig config) {
    this.segmentBytes = config.segmentBytes();
    this.graceMillis = config.deleteGrace().toMillis();
  }

  /**
   * @param hidden how many deleted objects the index still has to remember, each with a tombstone
   */
  @Nullable Segment next(List<Segment> segments, long hidden, long wallMillis) {
    List<Segment> settled =
        segments.stream()
            .filter(segment -> segment.state() != Segment.State.FILLING && !segment.isKept())
            .filter(segment -> segment.lastDeleted() + graceMillis <= wallMillis)
            .toList();
    List<Segment> small = settled.stream().filter(this::isSmall).toList();
    return Stream.of(
            settled.stream().filter(segment -> segment.state() == Segment.State.BROKEN),
            settled.stream().filter(CompactionCandidates::isMostlyDead),
            settled.stream().filter(segment -> hasOldTombstones(segment, segments, hidden)),
            small.stream().filter(_ -> small.size() >= SMALL_MIN))
        .flatMap(some -> some)
        .findFirst()
        .orElse(null);
  }

  /**
   * Whether a segment that is being filled is worth ending: what is dead in it would stay until
   * more is written, and a disk that is full takes no more.
   */
  boolean isWorthEnding(Segment filling, long wallMillis) {
    return filling.end() - Segment.HEAD_BYTES >= segmentBytes / 64
        && filling.lastDeleted() + graceMillis <= wallMillis
        && isMostlyDead(filling);
  }

  private boolean isSmall(Segment segment) {
    return segment.end() < segmentBytes / 4;
  }

  /** Tombstones count as alive here; whether one is can only be told by reading it. */
  private static boolean isMostlyDead(Segment segment) {
    long records = segment.end() - Segment.HEAD_BYTES;
    return segment.liveBytes() + segment.tombstones() * RecordHeader.BYTES <= records / 2;
  }

  /** Most tombstones are of no use any more, together as much as a segment, and here are some. */
  private boolean hasOldTombstones(Segment segment, List<Segment> all, long hidden) {
    long written = all.stream().mapToLong(Segment::tombstones).sum();
    long old = written - hidden;
    return segment.tombstones() > 0 && old > written / 2 && old * RecordHeader.BYTES > segmentBytes;
  }
}
