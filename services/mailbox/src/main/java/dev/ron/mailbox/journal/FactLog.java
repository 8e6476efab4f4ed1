package dev.ron.mailbox.journal;

import dev.ron.journal.AppendLog;
import dev.ron.journal.AppendResult;
import dev.ron.journal.FlushPosition;
import dev.ron.kernel.channel.Watch;
import dev.ron.mailbox.core.message.Fact;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A log that facts are appended to: this machine's journal, or the one that several machines share.
 *
 * <p>Threading: thread-safe; each shard's facts come from its own loop.
 */
public final class FactLog {
  private final AppendLog log;
  private final ReplicationMode replication;
  private final AtomicLong bytes = new AtomicLong();

  public FactLog(AppendLog log, ReplicationMode replication) {
    this.log = log;
    this.replication = replication;
  }

  public ReplicationMode replication() {
    return replication;
  }

  /** Puts those facts that are to be kept behind all others, in their order; never waits. */
  public AppendResult append(List<Fact> facts) {
    var records = new ArrayList<ByteBuffer>(facts.size());
    for (Fact fact : facts) {
      if (replication.keeps(fact)) {
        records.add(FactWriter.encode(fact));
      }
    }
    return appendWritten(records);
  }

  /** Puts facts there that are records already. */
  public AppendResult appendWritten(List<ByteBuffer> records) {
    long more = records.stream().mapToLong(ByteBuffer::remaining).sum();
    AppendResult answer = log.append(records);
    if (answer instanceof AppendResult.Taken) {
      bytes.addAndGet(more);
    }
    return answer;
  }

  public Watch<FlushPosition> flushed() {
    return log.flushed();
  }

  /** What was appended by way of this object. */
  long bytes() {
    return bytes.get();
  }
}
