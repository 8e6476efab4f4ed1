package dev.ron.content.store;

import dev.ron.content.segment.AppendLane;
import dev.ron.content.segment.Lease;
import dev.ron.content.segment.RecordHeader;
import dev.ron.content.segment.Segment;
import dev.ron.content.segment.SegmentScan;
import dev.ron.content.segment.SegmentScan.Found;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives the bytes of deleted objects back, and keeps the snapshot young.
 *
 * <p>One task for both, so that no segment goes away while a snapshot that mentions it is written.
 *
 * <p>Threading: one step at a time.
 */
final class StoreMaintenance implements Task {
  /** After the disk refused, so long until the next attempt: space does not come back at once. */
  private static final Duration PAUSE = Duration.ofSeconds(30);

  /** While commits queue up, compaction stands back for so long. */
  private static final Duration BREATH = Duration.ofMillis(10);

  private final Scope scope;
  private final SegmentConfig config;
  private final ContentCatalogue catalogue;
  private final FreeSpace free;
  private final Channel<CommitRequest> asks;
  private final Channel<AppendLane> idle;
  private final Channel<CommitRequest.Moved> replies;
  private final AppendLane lane;
  private final CompactionCandidates candidates;
  private final List<Segment> drained = new ArrayList<>();
  private @Nullable Compaction compaction;
  private CommitRequest.@Nullable Moves unsent;
  private boolean awaiting;
  private long snapshotAt;
  private boolean snapshotDue;
  private Instant notBefore = Instant.MIN;
  private Instant nextLook = Instant.MIN;

  StoreMaintenance(
      Scope scope,
      SegmentConfig config,
      ContentCatalogue catalogue,
      FreeSpace free,
      Channel<CommitRequest> asks,
      Channel<AppendLane> idle,
      Channel<CommitRequest.Moved> replies,
      AppendLane lane,
      boolean snapshotDue) {
    this.scope = scope;
    this.config = config;
    this.catalogue = catalogue;
    this.free = free;
    this.asks = asks;
    this.idle = idle;
    this.replies = replies;
    this.lane = lane;
    this.candidates = new CompactionCandidates(config);
    this.snapshotDue = snapshotDue;
    // A task before this one may have ended by a bug and left them.
    catalogue.segments().all().stream().filter(Segment::isDrained).forEach(drained::add);
  }

  @Override
  public Next run(Instant now) {
    try {
      return step(now);
    } catch (IOException e) {
      scope.log().warn("content-housekeeping", "trouble", String.valueOf(e.getMessage()));
      giveUp(now);
      return Next.at(now.plus(config.keepEvery()));
    } catch (RuntimeException | Error bug) {
      // This task ends here and another begins: what it holds would be held for ever.
      letGo();
      throw bug;
    }
  }

  private Next step(Instant now) throws IOException {
    if (!now.isBefore(nextLook)) {
      nextLook = now.plus(config.keepEvery());
      free.look();
    }
    if (awaiting) {
      CommitRequest.Moved moved = replies.tryReceive();
      if (moved == null) {
        return Next.await(replies);
      }
      awaiting = false;
      if (!moved.done()) {
        giveUp(now);
      } else if (compaction != null && compaction.isAtEnd()) {
        finish(compaction);
      }
      return Next.again();
    }
    if (compaction != null) {
      return compact(compaction, now);
    }
    if (!now.isBefore(notBefore)) {
      release();
      endDead();
      if (snapshotDue || catalogue.writtenBytes() - snapshotAt >= config.snapshotBytes()) {
        snapshot();
      }
      if (begin()) {
        return Next.again();
      }
    }
    return Next.at(now.plus(config.keepEvery()));
  }

  /** One lane at each look, of those that no writer has. */
  private void endDead() {
    AppendLane waiting = idle.tryReceive();
    if (waiting == null) {
      return;
    }
    try {
      long wall = scope.time().wall().toEpochMilli();
      if (waiting.isFilling() && candidates.isWorthEnding(waiting.segment(), wall)) {
        waiting.retire();
      }
    } finally {
      idle.trySend(waiting);
    }
  }

  private boolean begin() throws IOException {
    List<Segment> others = new ArrayList<>(catalogue.segments().all());
    others.removeAll(drained);
    long wall = scope.time().wall().toEpochMilli();
    Segment next = candidates.next(others, catalogue.index().hidden(), wall);
    Lease lease = next == null ? null : catalogue.segments().lease(next.number());
    if (lease == null) {
      return false;
    }
    compaction = new Compaction(catalogue, lease, lane);
    return true;
  }

  private Next compact(Compaction current, Instant now) throws IOException {
    if (unsent == null) {
      if (!current.step()) {
        return Next.again();
      }
      List<CommitRequest.Move> moves = current.takeMoves();
      if (moves.isEmpty()) {
        if (current.isAtEnd()) {
          finish(current);
        }
        return Next.again();
      }
      unsent = new CommitRequest.Moves(lane, current.source().number(), moves, replies);
    }
    switch (asks.trySend(unsent)) {
      case SendResult.Sent _ -> {
        unsent = null;
        awaiting = true;
        return Next.await(replies);
      }
      case SendResult.Full _ -> {
        return Next.at(now.plus(BREATH));
      }
      case SendResult.Closed _ -> throw new IOException("the store is closing");
    }
  }

  private void finish(Compaction done) {
    done.source().drain();
    drained.add(done.source());
    catalogue.meters().compactions().inc();
    done.close();
    compaction = null;
  }

  /** The source stays as it is; what was copied and committed has moved, the rest has not. */
  private void giveUp(Instant now) {
    letGo();
    if (lane.isFilling()) {
      lane.undo();
    }
    notBefore = now.plus(PAUSE);
  }

  private void letGo() {
    if (compaction != null) {
      compaction.close();
      compaction = null;
    }
    unsent = null;
  }

  /** Ended in order: the store may be closed, and opened again, in the same process. */
  @Override
  public void finish(Instant now) {
    letGo();
  }

  /** Removes segments that nothing points to, no reader has open, and whose grace has passed. */
  private void release() throws IOException {
    long wall = scope.time().wall().toEpochMilli();
    for (Segment segment : List.copyOf(drained)) {
      boolean graceful = segment.lastDeleted() + config.deleteGrace().toMillis() <= wall;
      if (segment.liveBytes() != 0) {
        // A damaged header hides a record from the scan that the index still reaches. Nothing is
        // lost while the segment stays.
        scope.log().error("content-segment-kept", "segment", segment.number());
        segment.keep();
        drained.remove(segment);
      } else if (graceful && catalogue.segments().doom(segment)) {
        drained.remove(segment);
        release(segment);
        snapshotDue = true;
      }
    }
  }

  private void release(Segment segment) throws IOException {
    Disk disk = scope.disk();
    Path gone = catalogue.segments().retire(segment);
    // A record that a failed flush left in a broken segment is counted nowhere; until that segment
    // is gone too, only the tombstone keeps a later start from taking the record for the object.
    boolean forget = !catalogue.segments().anyBroken();
    try (DiskFile file = disk.openReadOnly(gone)) {
      var scan = new SegmentScan(segment, file, Segment.HEAD_BYTES, segment.end(), false);
      for (Found found = scan.next(); found != null; found = scan.next()) {
        if (found.header().kind() == RecordHeader.Kind.OBJECT) {
          catalogue.released(found.header().key(), forget);
        }
      }
    }
    disk.delete(gone);
    catalogue.meters().reclaimedBytes().inc(segment.end());
  }

  private void snapshot() throws IOException {
    long written = catalogue.writtenBytes();
    IndexSnapshot.write(scope.disk(), config.folder(), catalogue);
    snapshotAt = written;
    snapshotDue = false;
  }
}
