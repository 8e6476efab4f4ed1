package dev.ron.edge.cache;

import dev.ron.edge.core.HeadFact;
import dev.ron.journal.AppendResult;
import dev.ron.journal.Durability;
import dev.ron.journal.JournalSettings;
import dev.ron.journal.StoredSnapshot;
import dev.ron.journal.file.FileJournal;
import dev.ron.journal.file.FlushTask;
import dev.ron.kernel.Scope;
import dev.ron.kernel.lock.RankedLock;
import dev.ron.kernel.time.Deadline;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The heads of stored answers in a journal, so that a restart keeps the cache.
 *
 * <p>A fact about an answer is written after its bytes are durable, so what a replay finds was
 * whole. A fact is in force, and can be covered by a snapshot, once {@link Token#applied} was
 * called: a snapshot reaches only up to the oldest that is not.
 *
 * <p>Threading: thread-safe; {@code lock} guards the positions that are not applied yet; snapshots
 * from one task.
 */
public final class HeadJournal {
  private static final int RANK = 30;

  private final FileJournal journal;
  private final RankedLock lock;
  private final TreeSet<Long> pending = new TreeSet<>();
  private final AtomicLong bytesSinceSnapshot = new AtomicLong();

  private HeadJournal(FileJournal journal, RankedLock lock) {
    this.journal = journal;
    this.lock = lock;
  }

  public static HeadJournal open(Scope scope, JournalSettings settings) throws IOException {
    return new HeadJournal(
        FileJournal.open(scope, settings), new RankedLock(scope.registry(), "heads", RANK));
  }

  /** A fact that is in the journal, on its way to the disk. */
  public final class Token {
    private final long first;
    private final long next;

    private Token(long first, long next) {
      this.first = first;
      this.next = next;
    }

    /** True once a crash cannot lose it; false if that will never be known. */
    public boolean durable() throws InterruptedException {
      return journal.await(next, Deadline.current()) instanceof Durability.Durable;
    }

    /** What it says is what memory says. */
    public void applied() {
      lock.run(() -> pending.remove(first));
    }
  }

  /** Empty if the journal takes no more. */
  public Optional<Token> append(HeadFact fact) {
    return append(fact, () -> true);
  }

  /**
   * Appends a fact that is still wanted at the moment it gets its place among the others; empty if
   * it is not, or the journal takes no more.
   */
  public Optional<Token> append(HeadFact fact, BooleanSupplier wanted) {
    ByteBuffer record = HeadCodec.encode(fact);
    int bytes = record.remaining();
    if (bytes > HeadCodec.FACT_BYTES_MAX) {
      return Optional.empty();
    }
    return lock.call(
        () -> {
          if (wanted.getAsBoolean()
              && journal.append(List.of(record))
                  instanceof AppendResult.Taken(long first, long next)) {
            pending.add(first);
            bytesSinceSnapshot.addAndGet(bytes);
            return Optional.of(new Token(first, next));
          }
          return Optional.empty();
        });
  }

  /** Hands over every fact, oldest first; once, at start. */
  public void replay(Consumer<HeadFact> each) throws IOException {
    long from = journal.first();
    Optional<StoredSnapshot> snapshot = journal.newestSnapshot();
    if (snapshot.isPresent()) {
      from = snapshot.get().position();
      read(snapshot.get(), each);
    }
    journal.replay(
        from,
        (_, payload) -> {
          bytesSinceSnapshot.addAndGet(payload.remaining());
          each.accept(HeadCodec.decode(payload));
        });
  }

  private static void read(StoredSnapshot snapshot, Consumer<HeadFact> each) throws IOException {
    try (var in = new DataInputStream(new BufferedInputStream(snapshot.open(), 64 << 10))) {
      for (int length = in.readInt(); length >= 0; length = in.readInt()) {
        if (length > HeadCodec.FACT_BYTES_MAX) {
          throw new IOException("a fact of " + length + " bytes in a snapshot");
        }
        each.accept(HeadCodec.decode(ByteBuffer.wrap(in.readNBytes(length))));
      }
    }
  }

  public long bytesSinceSnapshot() {
    return bytesSinceSnapshot.get();
  }

  /** The position up to which everything is on the disk and in force. */
  public long settled() {
    return lock.call(
        () -> {
          long flushed = journal.flushed().value().position();
          return pending.isEmpty() ? flushed : Math.min(flushed, pending.first());
        });
  }

  /**
   * Keeps the state instead of the history.
   *
   * @param position from {@link #settled}, asked before the state was looked at
   */
  public void snapshot(long position, Iterable<HeadFact.Kept> state) throws IOException {
    long before = bytesSinceSnapshot.get();
    journal.snapshot(
        position,
        to -> {
          var out = new DataOutputStream(new BufferedOutputStream(to, 64 << 10));
          for (HeadFact.Kept kept : state) {
            ByteBuffer bytes = HeadCodec.encode(kept);
            out.writeInt(bytes.remaining());
            out.write(bytes.array(), bytes.arrayOffset(), bytes.remaining());
          }
          out.writeInt(-1);
          out.flush();
        });
    journal.trim(position);
    bytesSinceSnapshot.addAndGet(-before);
  }

  public FlushTask flushTask() {
    return journal.flushTask();
  }
}
