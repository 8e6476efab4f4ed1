package dev.ron.content.store;

import dev.ron.content.AddressKey;
import dev.ron.content.ContentFault;
import dev.ron.content.DeleteResult.Deleted;
import dev.ron.content.PutResult.Stored;
import dev.ron.content.index.IndexEntry;
import dev.ron.content.segment.AppendLane;
import dev.ron.content.segment.DiskFailure;
import dev.ron.content.segment.RecordHeader;
import dev.ron.content.segment.Segment;
import dev.ron.kernel.time.Time;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Small objects and tombstones that become durable with one flush.
 *
 * <p>Threading: owned by the group commit, for one step.
 */
final class SharedBatch {
  private final ContentCatalogue catalogue;
  private final AppendLane lane;
  private final ByteBuffer buffer;
  private final Duration deleteGrace;
  private final Time time;
  private final Instant wall;
  private final Map<AddressKey, Written> fresh = new HashMap<>();
  private final List<CommitRequest.Small> twins = new ArrayList<>();
  private final List<CommitRequest.Delete> deletes = new ArrayList<>();

  /** Deletes of what the index does not show, and the disk may have all the same. */
  private final List<CommitRequest.Delete> absent = new ArrayList<>();

  private long end;
  private long flushed;

  /** An object that is in the segment, or in the buffer. */
  private record Written(CommitRequest.Small ask, RecordHeader header, long offset) {}

  /**
   * @param buffer direct, so that the JDK does not copy once more; empty between batches
   */
  SharedBatch(
      ContentCatalogue catalogue,
      AppendLane lane,
      ByteBuffer buffer,
      Duration deleteGrace,
      Time time) {
    this.catalogue = catalogue;
    this.lane = lane;
    this.buffer = buffer;
    this.deleteGrace = deleteGrace;
    this.time = time;
    this.wall = time.wall();
  }

  void commit(List<CommitRequest> asks) {
    buffer.clear();
    ContentFault fault = null;
    try {
      for (CommitRequest ask : asks) {
        switch (ask) {
          case CommitRequest.Small small -> add(small);
          case CommitRequest.Delete delete -> add(delete);
          case CommitRequest.Large _, CommitRequest.Moves _ ->
              throw new IllegalArgumentException("not shared");
        }
      }
      drain();
    } catch (IOException e) {
      fault = DiskFailure.fault(e);
      if (lane.isFilling()) {
        lane.undo();
      }
    }
    if (fault == null) {
      fault = flush();
    }
    if (fault == null) {
      applyAndAnswer();
    } else {
      catalogue.doubtful();
      if (!deletes.isEmpty() || !absent.isEmpty()) {
        catalogue.unsettled();
      }
      ContentFault why = fault;
      asks.forEach(ask -> ask.refuse(why));
    }
  }

  private void add(CommitRequest.Small ask) throws IOException {
    if (!ask.anew() && catalogue.sound(ask.key()) != null) {
      ask.reply().answer(new Stored(ask.key().address(), ask.length(), false));
      return;
    }
    if (fresh.containsKey(ask.key())) {
      twins.add(ask);
      return;
    }
    RecordHeader header = RecordHeader.object(ask.key(), ask.length(), catalogue.nextSequence());
    long offset = append(header, ask.bytes(), ask.length());
    fresh.put(ask.key(), new Written(ask, header, offset));
  }

  private void add(CommitRequest.Delete ask) throws IOException {
    long moment = wall.toEpochMilli();
    long sequence = catalogue.nextSequence();
    IndexEntry before = catalogue.delete(ask.key(), sequence, moment);
    if (before == null || !before.visible()) {
      if (catalogue.isDoubtful() && !fresh.containsKey(ask.key())) {
        var tombstone = RecordHeader.tombstone(ask.key(), sequence, moment);
        absent.add(ask);
        append(tombstone, new byte[0], 0);
        catalogue.buried(tombstone);
        lane.segment().tombstones(1);
      } else {
        ask.refuse(notFound(ask));
      }
    } else if (catalogue.index().visible(ask.key()) != null) {
      ask.refuse(new ContentFault.Pinned(ask.key().address()));
    } else {
      deletes.add(ask);
      append(RecordHeader.tombstone(ask.key(), sequence, moment), new byte[0], 0);
      lane.segment().tombstones(1);
    }
  }

  private static ContentFault notFound(CommitRequest.Delete ask) {
    return new ContentFault.NotFound(ask.key().address());
  }

  /** Answers where the record begins. */
  private long append(RecordHeader header, byte[] bytes, int length) throws IOException {
    if (end == 0) {
      end = lane.ready().end();
      flushed = end;
    }
    if (buffer.remaining() < header.recordBytes()) {
      drain();
    }
    long offset = end;
    header.write(buffer, lane.segment().secret(), offset);
    buffer.put(bytes, 0, length);
    while (buffer.position() % RecordHeader.ALIGNMENT != 0) {
      buffer.put((byte) 0);
    }
    end += header.recordBytes();
    assert flushed + buffer.position() == end : "the buffer is what lies before the end";
    return offset;
  }

  private void drain() throws IOException {
    if (buffer.position() > 0) {
      lane.file().write(buffer.flip(), flushed);
      buffer.clear();
      flushed = end;
    }
  }

  private @Nullable ContentFault flush() {
    if (end == 0) {
      return null;
    }
    try {
      catalogue.meters().flush(lane.file(), time);
      return null;
    } catch (IOException e) {
      lane.giveUp();
      return new ContentFault.DiskFailed("the flush failed: " + e.getMessage());
    }
  }

  private void applyAndAnswer() {
    Segment segment = end == 0 ? null : lane.segment();
    if (segment != null) {
      fresh.values().forEach(put -> catalogue.stored(put.header(), segment, put.offset()));
      // Only now: a snapshot that is taken meanwhile must not claim what the index has not.
      segment.end(end);
    }
    for (Written put : fresh.values()) {
      put.ask().reply().answer(stored(put.ask(), true));
    }
    twins.forEach(twin -> twin.reply().answer(stored(twin, false)));
    absent.forEach(ask -> ask.refuse(notFound(ask)));
    deletes.forEach(delete -> delete.reply().answer(new Deleted(wall.plus(deleteGrace))));
  }

  private static Stored stored(CommitRequest.Small ask, boolean isFresh) {
    return new Stored(ask.key().address(), ask.length(), isFresh);
  }
}
