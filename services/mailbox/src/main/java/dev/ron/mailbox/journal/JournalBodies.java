package dev.ron.mailbox.journal;

import dev.ron.journal.Journal;
import dev.ron.journal.JournalException;
import dev.ron.journal.JournalFault;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.MessageBodies;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.QueueFact;
import dev.ron.mailbox.core.message.StoredMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one shard, read from the journal, and those of late from memory.
 *
 * <p>A message stays in memory at least until its record is on the disk, because until then nothing
 * else has it; the journal's own buffers bound how many those are. After that it stays as long as
 * there is room, so that a consumer who keeps up costs no read.
 *
 * <p>Threading: owned by the shard's loop.
 */
public final class JournalBodies implements MessageBodies {
  /** Names, attrs and objects beside the payload. */
  private static final int MESSAGE_BYTES = 600;

  private final Journal journal;
  private final Journal.Cursor cursor;
  private final long bytesMax;
  private final Map<Long, StoredMessage> late = new LinkedHashMap<>();
  private long bytes;

  public JournalBodies(Journal journal, long bytesMax) {
    this.journal = journal;
    this.cursor = journal.cursor();
    this.bytesMax = bytesMax;
  }

  /** Keeps a message that was just appended at a position. */
  public void put(long position, StoredMessage stored) {
    late.put(position, stored);
    bytes += weight(stored);
    long flushed = journal.flushed().value().position();
    Iterator<Map.Entry<Long, StoredMessage>> oldest = late.entrySet().iterator();
    while (bytes > bytesMax) {
      Map.Entry<Long, StoredMessage> next = oldest.next();
      if (next.getKey() >= flushed) {
        break;
      }
      bytes -= weight(next.getValue());
      oldest.remove();
    }
  }

  /** The message is gone. */
  public void forget(long position) {
    StoredMessage stored = late.remove(position);
    if (stored != null) {
      bytes -= weight(stored);
    }
  }

  public void clear() {
    late.clear();
    bytes = 0;
  }

  private static long weight(StoredMessage stored) {
    return (long) MESSAGE_BYTES + stored.body().length;
  }

  @Override
  public Read read(long position) {
    StoredMessage kept = late.get(position);
    if (kept != null) {
      return new Read.Found(kept);
    }
    try {
      StoredMessage stored = stored(FactReader.decode(cursor.read(position)));
      return stored == null
          ? damaged("record " + position + " is of another kind")
          : new Read.Found(stored);
    } catch (JournalException failed) {
      if (failed.fault() instanceof JournalFault.Corrupt corrupt) {
        return damaged(corrupt.detail());
      }
      throw new UncheckedIOException(failed);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static Read damaged(String why) {
    return new Read.Damaged(new MailboxFault.Integrity(why));
  }

  private static @Nullable StoredMessage stored(Fact fact) {
    return switch (fact) {
      case Fact.Sent sent -> new StoredMessage(sent.message(), sent.body());
      case Fact.Carried carried -> new StoredMessage(carried.message(), carried.body());
      case Fact.Leased _,
          Fact.Extended _,
          Fact.Woken _,
          Fact.Returned _,
          Fact.Acked _,
          Fact.Died _,
          Fact.Revived _,
          Fact.Dropped _,
          QueueFact _ ->
          null;
    };
  }
}
