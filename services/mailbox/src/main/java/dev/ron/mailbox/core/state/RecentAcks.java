package dev.ron.mailbox.core.state;

import dev.ron.mailbox.core.message.TopicOwner;
import dev.ron.mailbox.core.message.Ulid;

/**
 * Messages that were acknowledged lately, so that a second ack is told the same as the first.
 *
 * <p>Bounded by forgetting the oldest: after that a repeated ack is told {@code unknown-message},
 * and nothing is lost by it.
 *
 * <p>Threading: owned by the shard's loop.
 */
public final class RecentAcks {
  private static final int WORDS = 3;

  /** When, below {@link #TRACE_SHIFT}; above it the trace of the topic's owner, 0 for most. */
  private static final int AT = 2;

  private static final int TRACE_SHIFT = Long.SIZE - 1 - TopicOwner.TRACE_BITS;
  private static final long AT_MASK = (1L << TRACE_SHIFT) - 1;

  private final int entriesMax;
  private final long keptMillis;
  private final AgedTable table;

  RecentAcks(int entriesMax, long keptMillis) {
    this(entriesMax, keptMillis, FrozenTable.empty(WORDS));
  }

  RecentAcks(int entriesMax, long keptMillis, FrozenTable entries) {
    if (entries.words() != WORDS) {
      throw new IllegalArgumentException("entries of " + entries.words() + " words");
    }
    this.entriesMax = entriesMax;
    this.keptMillis = keptMillis;
    this.table = new AgedTable(entries);
  }

  void add(Ulid id, String topic, long atMillis) {
    while (table.size() > 0
        && ((table.word(table.oldest(), AT) & AT_MASK) + keptMillis <= atMillis
            || table.size() >= entriesMax)) {
      table.removeOldest();
    }
    table.add(
        id.high(), id.low(), (long) TopicOwner.trace(topic) << TRACE_SHIFT | (atMillis & AT_MASK));
  }

  /** Whether a message is among them that was the caller's. */
  public boolean contains(Ulid id, TopicOwner caller) {
    long found = table.find(id.high(), id.low());
    return found >= 0 && caller.left((int) (table.word(found, AT) >>> TRACE_SHIFT));
  }

  FrozenTable freeze() {
    return table.freeze();
  }
}
