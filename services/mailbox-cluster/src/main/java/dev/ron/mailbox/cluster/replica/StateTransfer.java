package dev.ron.mailbox.cluster.replica;

import dev.ron.journal.FlushPosition;
import dev.ron.journal.Journal;
import dev.ron.journal.StoredSnapshot;
import dev.ron.journal.file.FileJournal;
import dev.ron.mailbox.cluster.protocol.LeaderRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A group's state on its way to a machine that joins: the leader's journal as it is, from its first
 * record on, and its newest snapshot.
 *
 * <p>In parts, each asked for by the machine that joins. The leader neither takes a snapshot nor
 * trims while parts are asked for.
 *
 * <p>Threading: immutable; the parts come one at a time.
 */
public final class StateTransfer {
  /** Kinds of parts, in {@link LeaderRequest.Copy}. */
  static final long HEAD = 0;

  static final long RECORDS = 1;
  static final long SNAPSHOT = 2;

  private static final int PART_BYTES = 1 << 20;

  private StateTransfer() {}

  /**
   * What is copied.
   *
   * @param term and {@code index} of the last entry that is in it
   * @param first the oldest record
   * @param next the position after the newest
   * @param snapshot its position, or -1
   */
  record Head(long term, long index, long first, long next, long snapshot) {
    private byte[] encode() {
      return ByteBuffer.allocate(5 * Long.BYTES)
          .putLong(term)
          .putLong(index)
          .putLong(first)
          .putLong(next)
          .putLong(snapshot)
          .array();
    }

    private static Head decode(byte[] bytes) {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      return new Head(in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong());
    }

    /** In one line, for {@code CopyMark}. */
    String text() {
      return "%d %d %d %d %d".formatted(term, index, first, next, snapshot);
    }

    static Head parse(String text) throws IOException {
      try {
        long[] numbers = Arrays.stream(text.split(" ", -1)).mapToLong(Long::parseLong).toArray();
        return new Head(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException wrong) {
        throw new IOException("the mark of a copy says: " + text, wrong);
      }
    }
  }

  // ---- the leader's side

  public static byte[] part(LeaderRequest.Copy asked, Replica replica, Journal journal)
      throws IOException {
    replica.hold();
    if (asked.kind() == HEAD) {
      return head(replica, journal).encode();
    }
    return asked.kind() == RECORDS
        ? records(journal, asked.from())
        : snapshot(journal, asked.from());
  }

  /** The entry is looked at before the position, so that nothing of it is missing. */
  private static Head head(Replica replica, Journal journal) throws IOException {
    Replica.LogPosition applied = replica.applied();
    long next = replica.cursor();
    replica.flush(next);
    long snapshot = journal.newestSnapshot().map(StoredSnapshot::position).orElse(-1L);
    return new Head(applied.term(), applied.index(), journal.first(), next, snapshot);
  }

  private static byte[] records(Journal journal, long from) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    FlushPosition flushed = journal.flushed().value();
    Journal.Cursor cursor = journal.cursor();
    for (long at = from; at < flushed.position() && bytes.size() < PART_BYTES; at++) {
      ByteBuffer record = cursor.read(at);
      byte[] plain = new byte[record.remaining()];
      record.get(plain);
      out.writeInt(plain.length);
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  private static byte[] snapshot(Journal journal, long from) throws IOException {
    Optional<StoredSnapshot> newest = journal.newestSnapshot();
    if (newest.isEmpty()) {
      throw new IOException("no snapshot");
    }
    try (InputStream in = newest.get().open()) {
      in.skipNBytes(from);
      return in.readNBytes(PART_BYTES);
    }
  }

  // ---- the side of the machine that joins

  /** Asks the leader. */
  @FunctionalInterface
  interface PeerCall {
    byte[] ask(LeaderRequest.Copy part) throws IOException, InterruptedException;
  }

  /** Gets the next records behind those that are here. */
  @FunctionalInterface
  interface RecordSink {
    void append(List<ByteBuffer> records) throws IOException, InterruptedException;
  }

  /**
   * Copies everything into an empty journal, or the rest of it: what is at a position is the same
   * on all machines, so another leader can go on where one has left off.
   *
   * @param copied the position after what an earlier try has brought, 0 if there was none
   */
  static Head into(
      FileJournal journal, long copied, PeerCall leader, RecordSink sink, Replica replica)
      throws IOException, InterruptedException {
    Head head = Head.decode(leader.ask(new LeaderRequest.Copy(HEAD, 0)));
    long next = Math.max(copied, journal.first());
    if (next == 0) {
      journal.beginAt(head.first());
      next = head.first();
    } else if (next < head.first()) {
      throw new IOException("the leader has trimmed what comes next: restart this machine");
    }
    while (next < head.next()) {
      replica.hold();
      List<ByteBuffer> records = new ArrayList<>();
      byte[] part = leader.ask(new LeaderRequest.Copy(RECORDS, next));
      var in = new DataInputStream(new ByteArrayInputStream(part));
      while (in.available() > 0 && next < head.next()) {
        records.add(ByteBuffer.wrap(in.readNBytes(in.readInt())));
        next++;
      }
      if (records.isEmpty()) {
        throw new IOException("the leader's journal ends at " + next);
      }
      for (ByteBuffer record : records) {
        sink.append(List.of(record));
      }
    }
    replica.flush(head.next());
    if (head.snapshot() >= 0) {
      ByteArrayOutputStream bytes = snapshot(head, leader);
      journal.snapshot(head.snapshot(), head.first(), bytes::writeTo);
    }
    return head;
  }

  private static ByteArrayOutputStream snapshot(Head head, PeerCall leader)
      throws IOException, InterruptedException {
    var bytes = new ByteArrayOutputStream();
    for (byte[] part = leader.ask(new LeaderRequest.Copy(SNAPSHOT, 0));
        part.length > 0;
        part = leader.ask(new LeaderRequest.Copy(SNAPSHOT, bytes.size()))) {
      bytes.write(part);
    }
    // One that was under way when the copy began may be done by now; parts of two are none.
    if (Head.decode(leader.ask(new LeaderRequest.Copy(HEAD, 0))).snapshot() != head.snapshot()) {
      throw new IOException("the leader has taken another snapshot meanwhile; copied anew");
    }
    return bytes;
  }
}
