package dev.ron.content;

import dev.ron.blake3.Tree;
import dev.ron.content.PutResult.Stored;
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
 * <p>Whoever asks while a flush is under way shares the next one. An object exists from the moment
 * its header is durable, and is in the index after that and before the answer.
 *
 * <p>Threading: one step at a time; it alone changes the {@link Catalogue}.
 */
final class GroupCommit implements Task {
  private final Channel<Commit> asks;
  private final Catalogue catalogue;
  private final Lane lane;
  private final Time time;
  private final Duration deleteGrace;

  /** Room for sixteen of the largest small objects; larger batches are written in pieces. */
  private final ByteBuffer buffer =
      ByteBuffer.allocateDirect(16 * (Tree.GROUP_BYTES + RecordHeader.BYTES));

  GroupCommit(
      Channel<Commit> asks, Catalogue catalogue, Lane lane, Time time, Duration deleteGrace) {
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
    List<Commit> batch = asks.receiveBatch(asks.capacity());
    try {
      commit(batch);
    } catch (RuntimeException | Error bug) {
      batch.forEach(ask -> ask.refuse(new ContentFault.DiskFailed("a bug: " + bug)));
      throw bug;
    }
  }

  private void commit(List<Commit> batch) {
    var shared = new ArrayList<Commit>();
    for (Commit ask : batch) {
      if (ask instanceof Commit.Small || ask instanceof Commit.Delete) {
        shared.add(ask);
      }
    }
    if (!shared.isEmpty()) {
      new SharedBatch(catalogue, lane, buffer, deleteGrace, time).commit(shared);
    }
    for (Commit ask : batch) {
      switch (ask) {
        case Commit.Large large -> commit(large);
        case Commit.Moves moves -> commit(moves);
        case Commit.Small _, Commit.Delete _ -> {}
      }
    }
  }

  private void commit(Commit.Large ask) {
    if (catalogue.sound(ask.key()) != null) {
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
      ask.refuse(DiskTrouble.fault(e));
      return;
    }
    catalogue.stored(header, segment, offset);
    segment.end(offset + header.recordBytes());
    ask.finish(new Stored(ask.key().address(), ask.length(), true));
  }

  private void commit(Commit.Moves ask) {
    Segment segment = ask.lane().segment();
    long end = segment.end();
    var done = new ArrayList<Commit.Move>();
    try {
      for (Commit.Move move : ask.moves()) {
        boolean current = catalogue.current(ask.from(), move);
        RecordHeader header = current ? renewed(move.header()) : gap(move.header());
        write(ask.lane(), header, move.toOffset());
        end = move.toOffset() + header.recordBytes();
        if (current) {
          done.add(new Commit.Move(move.fromOffset(), header, move.toOffset()));
        }
      }
      catalogue.meters().flush(ask.lane().file(), time);
    } catch (IOException _) {
      ask.lane().giveUp();
      ask.reply().trySend(new Commit.Moved(false));
      return;
    }
    done.forEach(move -> catalogue.moved(move.header(), segment, move.toOffset()));
    segment.end(end);
    ask.reply().trySend(new Commit.Moved(true));
  }

  /** The same statement, said last. */
  private RecordHeader renewed(RecordHeader old) {
    return new RecordHeader(
        old.kind(), old.length(), catalogue.nextSequence(), old.moment(), old.key());
  }

  /** In place of a record that nobody needs any more; takes exactly its room. */
  private static RecordHeader gap(RecordHeader old) {
    return RecordHeader.none(old.length());
  }

  private void write(Lane to, RecordHeader header, long offset) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(RecordHeader.BYTES);
    header.write(bytes, to.segment().secret(), offset);
    to.file().write(bytes.flip(), offset);
  }
}
