package dev.ron.mailbox.cluster.replica;

import dev.ron.journal.AppendLog;
import dev.ron.journal.AppendResult;
import dev.ron.journal.FlushPosition;
import dev.ron.journal.JournalFault;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.lock.RankedLock;
import dev.ron.mailbox.cluster.protocol.FactBatch;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The time in which this machine decides for a group's shards: a log that a majority has to take
 * over before anything in it counts.
 *
 * <p>Positions are given when facts are appended, which only the leader does, behind all that was
 * agreed on before. When the term ends it says how far it got and nothing after that: a position
 * beyond may be another leader's by then.
 *
 * <p>Threading: thread-safe; {@code lock} guards what waits.
 */
final class LeaderTerm implements AppendLog {
  /** What waits or is on its way; more is refused as busy. */
  private static final int BYTES_MAX = 16 << 20;

  /** Enough to share a flush. */
  private static final int ENTRY_BYTES = 1 << 20;

  /**
   * On its way at a time: while it is flushed and sent, the next gathers. More at a time make the
   * entries smaller, and did not pay where CPU was short; see ADR 0027.
   */
  private static final int ENTRIES_MAX = 1;

  private static final Duration REST = Duration.ofMillis(10);

  private final String name;
  private final long term;
  private final RankedLock lock;
  private final Watch<FlushPosition> flushed;
  private final Watch<Long> wanted;
  private final ArrayDeque<ByteBuffer> waiting = new ArrayDeque<>();
  private long firstWaiting;
  private long next;
  private long bytes;
  private int underWay;
  private boolean over;

  LeaderTerm(Scope scope, String name, long term, RankedLock lock, long next) {
    this.name = name;
    this.term = term;
    this.lock = lock;
    this.firstWaiting = next;
    this.next = next;
    this.flushed = Watch.unlisted(scope, new FlushPosition(next, Optional.empty()));
    this.wanted = Watch.unlisted(scope, 0L);
  }

  long term() {
    return term;
  }

  boolean isOver() {
    return flushed.value().fault().isPresent();
  }

  @Override
  public AppendResult append(List<ByteBuffer> records) {
    long more = records.stream().mapToLong(FactBatch::bytes).sum();
    AppendResult answer = lock.call(() -> put(records, more));
    if (answer instanceof AppendResult.Taken) {
      wanted.set(0L);
    }
    return answer;
  }

  private AppendResult put(List<ByteBuffer> records, long more) {
    if (over) {
      return new AppendResult.Refused(closed());
    }
    if (bytes + more > BYTES_MAX) {
      return new AppendResult.Refused(new JournalFault.Busy(name, BYTES_MAX, REST));
    }
    long first = next;
    waiting.addAll(records);
    next += records.size();
    bytes += more;
    return new AppendResult.Taken(first, next);
  }

  /** What is to be proposed next; null if nothing waits or enough is on its way. */
  @Nullable FactBatch take() {
    return lock.call(
        () -> {
          if (over || underWay >= ENTRIES_MAX || waiting.isEmpty()) {
            return null;
          }
          var records = new ArrayList<ByteBuffer>();
          int size = 0;
          while (!waiting.isEmpty() && (size == 0 || size + room(waiting.peek()) <= ENTRY_BYTES)) {
            ByteBuffer record = waiting.remove();
            size += FactBatch.bytes(record);
            records.add(record);
          }
          var entry = new FactBatch(term, firstWaiting, records);
          firstWaiting = entry.next();
          underWay++;
          return entry;
        });
  }

  private static int room(@Nullable ByteBuffer record) {
    return record == null ? 0 : FactBatch.bytes(record);
  }

  /** An entry was agreed on and applied. */
  void settled(FactBatch entry) {
    lock.run(
        () -> {
          underWay--;
          bytes -= entry.records().stream().mapToLong(FactBatch::bytes).sum();
        });
    wanted.set(0L);
  }

  /** Everything of this term before {@code position} is agreed on. */
  void committed(long position) {
    lock.run(
        () -> {
          if (!over) {
            flushed.set(new FlushPosition(position, Optional.empty()));
          }
        });
  }

  /** What was not agreed on by now may or may not be yet; this term will not say so. */
  void end() {
    lock.run(
        () -> {
          if (!over) {
            over = true;
            waiting.clear();
            flushed.set(new FlushPosition(flushed.value().position(), Optional.of(closed())));
          }
        });
    wanted.set(0L);
  }

  private JournalFault closed() {
    return new JournalFault.Closed(
        "another machine leads now, and whether this was done is not known: " + name);
  }

  /** Changes when there may be something to {@link #take}. */
  Watch<Long> wanted() {
    return wanted;
  }

  @Override
  public Watch<FlushPosition> flushed() {
    return flushed;
  }
}
