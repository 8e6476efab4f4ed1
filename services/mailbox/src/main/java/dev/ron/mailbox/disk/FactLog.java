package dev.ron.mailbox.disk;

import dev.ron.journal.AppendLog;
import dev.ron.journal.Appended;
import dev.ron.journal.Flushed;
import dev.ron.kernel.channel.Watch;
import dev.ron.mailbox.core.Fact;
import dev.ron.mailbox.wire.FactWriter;
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
  private final Standing standing;
  private final AtomicLong bytes = new AtomicLong();

  public FactLog(AppendLog log, Standing standing) {
    this.log = log;
    this.standing = standing;
  }

  public Standing standing() {
    return standing;
  }

  /** Puts those facts that are to be kept behind all others, in their order; never waits. */
  public Appended append(List<Fact> facts) {
    var records = new ArrayList<ByteBuffer>(facts.size());
    for (Fact fact : facts) {
      if (standing.keeps(fact)) {
        records.add(FactWriter.encode(fact));
      }
    }
    return appendWritten(records);
  }

  /** Puts facts there that are records already. */
  public Appended appendWritten(List<ByteBuffer> records) {
    long more = records.stream().mapToLong(ByteBuffer::remaining).sum();
    Appended answer = log.append(records);
    if (answer instanceof Appended.Taken) {
      bytes.addAndGet(more);
    }
    return answer;
  }

  public Watch<Flushed> flushed() {
    return log.flushed();
  }

  /** What was appended by way of this object. */
  long bytes() {
    return bytes.get();
  }
}
