package dev.ron.content.store;

import dev.ron.blake3.HashTree;
import dev.ron.content.ContentFault;
import dev.ron.content.PutResult.Stored;
import dev.ron.content.segment.AppendLane;
import dev.ron.content.segment.DiskFailure;
import dev.ron.content.segment.RecordHeader;
import dev.ron.content.segment.Segment;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Time;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The one writer of headers: what is in its order is the order of the store.
 *
 * <p>Requests that come while a flush is under way share the next one. An object exists from the
 * moment its header is durable, and is in the index after that and before the answer.
 *
 * <p>Threading: one step at a time; it alone changes the {@link ContentCatalogue}.
 */
final class GroupCommit implements Task {
  private final Channel<CommitRequest> asks;
  private final ContentCatalogue catalogue;
  private final AppendLane lane;
  private final Time time;
  private final Duration deleteGrace;

  /** Room for sixteen of the largest small objects; larger batches are written in pieces. */
  private final ByteBuffer buffer =
      ByteBuffer.allocateDirect(16 * (HashTree.GROUP_BYTES + RecordHeader.BYTES));

  GroupCommit(
      Channel<CommitRequest> asks,
      ContentCatalogue catalogue,
      AppendLane lane,
      Time time,
      Duration deleteGrace) {
    this.asks = asks;
    this.catalogue = catalogue;
    this.lane = lane;
    this.time = time;
    this.deleteGrace = deleteGrace;
  }

  @Override
  public Next run(Instant now) {
    if (!asks.ready()) {
      return Next.await(asks);
    }
    commitAll();
    return Next.again();
  }

  /** Ended in order: what was taken in is not left lying. */
  @Override
  public void finish(Instant now) {
    while (asks.ready()) {
      commitAll();
    }
  }

  private void commitAll() {
    List<CommitRequest> batch = asks.receiveBatch(asks.capacity());
    batch.forEach(CommitRequest::begin);
    try {
      commit(batch);
    } catch (RuntimeException | Error bug) {
      batch.forEach(ask -> ask.refuse(new ContentFault.DiskFailed("a bug: " + bug)));
      throw bug;
    }
  }

  private void commit(List<CommitRequest> batch) {
    var shared = new ArrayList<CommitRequest>();
    for (CommitRequest ask : batch) {
      if (ask instanceof CommitRequest.Small || ask instanceof CommitRequest.Delete) {
        shared.add(ask);
      }
    }
    if (!shared.isEmpty()) {
      new SharedBatch(catalogue, lane, buffer, deleteGrace, time).commit(shared);
    }
    for (CommitRequest ask : batch) {
      switch (ask) {
        case CommitRequest.Large large -> commit(large);
        case CommitRequest.Moves moves -> commit(moves);
        case CommitRequest.Small _, CommitRequest.Delete _ -> {}
      }
    }
  }

  private void commit(CommitRequest.Large ask) {
    if (!ask.anew() && catalogue.sound(ask.key()) != null) {
      ask.finish(new Stored(ask.key().address(), ask.length(), false));
      return;
    }
    Segment segment = ask.lane().segment();
    long offset = segment.end();
    var header = RecordHeader.object(ask.key(), ask.length(), catalogue.nextSequence());
    try {
      write(ask.lane(), header, offset);
      catalogue.meters().flush(ask.lane().file(), time);
    } catch (IOException e) {
      ask.lane().giveUp();
      catalogue.doubtful();
      ask.refuse(DiskFailure.fault(e));
      return;
    }
    catalogue.stored(header, segment, offset);
    segment.end(offset + header.recordBytes());
    ask.finish(new Stored(ask.key().address(), ask.length(), true));
  }

  private void commit(CommitRequest.Moves ask) {
    Segment segment = ask.lane().segment();
    long end = segment.end();
    var done = new ArrayList<CommitRequest.Move>();
    try {
      for (CommitRequest.Move move : ask.moves()) {
        boolean current = catalogue.current(ask.from(), move);
        RecordHeader header = current ? renewed(move.header()) : gap(move.header());
        write(ask.lane(), header, move.toOffset());
        end = move.toOffset() + header.recordBytes();
        if (current) {
          done.add(new CommitRequest.Move(move.fromOffset(), header, move.toOffset()));
        }
      }
      catalogue.meters().flush(ask.lane().file(), time);
    } catch (IOException _) {
      ask.lane().giveUp();
      ask.reply().trySend(new CommitRequest.Moved(false));
      return;
    }
    done.forEach(move -> catalogue.moved(move.header(), segment, move.toOffset()));
    segment.end(end);
    ask.reply().trySend(new CommitRequest.Moved(true));
  }

  /** The same statement, said last. */
  private RecordHeader renewed(RecordHeader old) {
    return new RecordHeader(
        old.kind(), old.length(), catalogue.nextSequence(), old.moment(), old.key());
  }

  /** In place of a record that is no longer needed; takes exactly its room. */
  private static RecordHeader gap(RecordHeader old) {
    return RecordHeader.none(old.length());
  }

  private void write(AppendLane to, RecordHeader header, long offset) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(RecordHeader.BYTES);
    header.write(bytes, to.segment().secret(), offset);
    to.file().write(bytes.flip(), offset);
  }
}
