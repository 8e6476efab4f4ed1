package dev.ron.usage;

import dev.ron.journal.AppendResult;
import dev.ron.journal.Journal;
import dev.ron.journal.StoredSnapshot;
import dev.ron.kernel.time.Deadline;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The journal of counts and cuts, and the state that its records lead to.
 *
 * <p>A span is cut by a record. When the disk has that record, the span goes into its file, and the
 * journal lets go of it. A crash at any point in between replays to the same span, because the file
 * is written from the journal alone.
 *
 * <p>Threading: owned by {@link UsageTask}.
 */
final class UsageLog {
  private static final int RECORD_BYTES_MAX = 2 << 20;

  private final Journal journal;
  private final UsageFolder folder;
  private final UsageState state = new UsageState();
  private long appended;

  private UsageLog(Journal journal, UsageFolder folder) {
    this.journal = journal;
    this.folder = folder;
  }

  /** Replays what there is. */
  static UsageLog recover(Journal journal, UsageFolder folder) throws IOException {
    var log = new UsageLog(journal, folder);
    long from = journal.first();
    Optional<StoredSnapshot> snapshot = journal.newestSnapshot();
    if (snapshot.isPresent()) {
      from = snapshot.get().position();
      log.read(snapshot.get());
    }
    log.appended = journal.replay(from, (_, payload) -> log.apply(UsageRecord.decoded(payload)));
    // A file is written after its cut: a newer one says that the journal was lost or is another's.
    if (folder.newest() > log.state.lastNumber()) {
      throw new IOException(
          "the usage journal ends before span %d, which %s has: bring the journal back, or move both folders away to begin a new chain"
              .formatted(folder.newest(), folder.path()));
    }
    return log;
  }

  private void read(StoredSnapshot snapshot) throws IOException {
    try (var in = new DataInputStream(new BufferedInputStream(snapshot.open()))) {
      for (int length = in.readInt(); length >= 0; length = in.readInt()) {
        if (length > RECORD_BYTES_MAX) {
          throw new IOException("a usage record of " + length + " bytes in a snapshot");
        }
        UsageRecord record = UsageRecord.decoded(ByteBuffer.wrap(in.readNBytes(length)));
        state.apply(record);
        if (record instanceof UsageRecord.Cut cut) {
          // A snapshot is made when the span of its cut is in the file, and has none of its counts:
          // to write that span again would replace it by an empty one.
          state.written(cut.number());
        }
      }
    }
  }

  /** A file that is there and damaged is written again: the journal still has all of its span. */
  private void apply(UsageRecord record) throws IOException {
    state.apply(record);
    if (record instanceof UsageRecord.Cut cut && folder.holds(cut.number())) {
      state.written(cut.number());
    }
  }

  UsageState state() {
    return state;
  }

  /** False if the journal does not take it now. */
  boolean append(UsageRecord record) {
    if (!(journal.append(List.of(record.encoded())) instanceof AppendResult.Taken(_, long next))) {
      return false;
    }
    appended = next;
    state.apply(record);
    return true;
  }

  /** Waits for the disk to have everything that was appended. */
  void await(Deadline deadline) throws InterruptedException {
    journal.await(appended, deadline);
  }

  /** Whether a span is closed, and the disk has not yet all that was appended. */
  boolean awaitsFlush() {
    return state.closed().isPresent() && journal.flushed().value().position() < appended;
  }

  /**
   * Writes the closed span into its file. Not before the disk has its cut: without it a replay
   * would count the span once more.
   */
  void write() throws IOException {
    Optional<UsageSpan> closed = state.closed();
    if (closed.isPresent() && !awaitsFlush()) {
      folder.write(closed.get());
      state.written(closed.get().number());
      snapshot();
    }
  }

  private void snapshot() throws IOException {
    List<UsageRecord> records = state.records();
    journal.snapshot(
        appended,
        out -> {
          var to = new DataOutputStream(out);
          for (UsageRecord each : records) {
            ByteBuffer bytes = each.encoded();
            to.writeInt(bytes.remaining());
            to.write(bytes.array(), bytes.arrayOffset(), bytes.remaining());
          }
          to.writeInt(-1);
          to.flush();
        });
    journal.trim(appended);
  }
}
