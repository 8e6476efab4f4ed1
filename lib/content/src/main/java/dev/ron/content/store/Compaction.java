package dev.ron.content.store;

import dev.ron.blake3.bao.OutboardBuilder;
import dev.ron.content.index.IndexEntry;
import dev.ron.content.segment.AppendLane;
import dev.ron.content.segment.Lease;
import dev.ron.content.segment.RecordHeader;
import dev.ron.content.segment.Segment;
import dev.ron.content.segment.SegmentScan;
import dev.ron.content.segment.SegmentScan.Found;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies what counts in one segment to another, a bounded piece at a time.
 *
 * <p>The source is only read, and its readers notice nothing. Copies are verified on the way; one
 * that is damaged is copied as it is, because its good groups may still be of use, and is marked.
 *
 * <p>Threading: owned by the housekeeping.
 */
final class Compaction {
  private static final int STEP_BYTES = 4 << 20;
  private static final int MOVES_MAX = 1024;

  private final ContentCatalogue catalogue;
  private final Lease source;
  private final SegmentScan scan;
  private final AppendLane lane;
  private final byte[] buffer = new byte[64 << 10];
  private final List<CommitRequest.Move> moves = new ArrayList<>();
  private long to;
  private @Nullable Copy copying;
  private boolean atEnd;

  /** An object that is being copied. */
  private static final class Copy {
    final Found found;
    final OutboardBuilder builder = new OutboardBuilder();
    long done;

    Copy(Found found) {
      this.found = found;
    }
  }

  Compaction(ContentCatalogue catalogue, Lease source, AppendLane lane) {
    this.catalogue = catalogue;
    this.source = source;
    this.lane = lane;
    Segment segment = source.segment();
    this.scan = new SegmentScan(segment, source.file(), Segment.HEAD_BYTES, segment.end(), false);
  }

  Segment source() {
    return source.segment();
  }

  /**
   * Copies a few megabytes.
   *
   * @return true if there are moves to commit, or nothing is left
   */
  boolean step() throws IOException {
    long budget = STEP_BYTES;
    while (budget > 0 && moves.size() < MOVES_MAX) {
      Copy copy = copying;
      if (copy != null) {
        budget -= copy(copy);
        continue;
      }
      Found found = scan.next();
      if (found == null) {
        atEnd = true;
        return true;
      }
      budget -= RecordHeader.BYTES;
      if (catalogue.current(source().number(), move(found, 0))) {
        begin(found);
      }
    }
    return copying == null;
  }

  private void begin(Found found) throws IOException {
    if (moves.isEmpty()) {
      to = lane.ready().end();
    }
    if (found.header().kind() == RecordHeader.Kind.OBJECT) {
      copying = new Copy(found);
    } else {
      moves.add(move(found, to));
      to += found.header().recordBytes();
    }
  }

  /** Copies up to one buffer; answers how many bytes that were. */
  private int copy(Copy copy) throws IOException {
    RecordHeader header = copy.found.header();
    long body = header.recordBytes() - RecordHeader.BYTES;
    int count = (int) Math.min(buffer.length, body - copy.done);
    long from = copy.found.offset() + RecordHeader.BYTES + copy.done;
    if (source.file().read(ByteBuffer.wrap(buffer, 0, count), from) < count) {
      throw new IOException("the segment is shorter than it was");
    }
    int hashed = Math.clamp(header.length() - copy.done, 0, count);
    copy.builder.update(buffer, 0, hashed);
    long position = to + RecordHeader.BYTES + copy.done;
    lane.file().write(ByteBuffer.wrap(buffer, 0, count), position);
    copy.done += count;
    catalogue.meters().compactedBytes().inc(count);
    if (copy.done == body) {
      finish(copy);
    }
    return count;
  }

  private void finish(Copy copy) {
    RecordHeader header = copy.found.header();
    if (!copy.builder.build().root().equals(header.key().address().hash())) {
      IndexEntry entry = catalogue.index().find(header.key());
      if (entry != null && entry.at(source().number(), copy.found.offset())) {
        catalogue.corrupt(entry);
      }
    }
    moves.add(move(copy.found, to));
    to += header.recordBytes();
    copying = null;
  }

  private static CommitRequest.Move move(Found found, long to) {
    return new CommitRequest.Move(found.offset(), found.header(), to);
  }

  /** Nothing is left to copy. */
  boolean isAtEnd() {
    return atEnd;
  }

  /** What was copied since the last call. */
  List<CommitRequest.Move> takeMoves() {
    List<CommitRequest.Move> taken = List.copyOf(moves);
    moves.clear();
    return taken;
  }

  void close() {
    source.close();
  }
}
