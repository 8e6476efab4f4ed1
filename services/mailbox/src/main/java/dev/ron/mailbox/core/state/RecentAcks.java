package dev.ron.mailbox.core.state;

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
  private static final int AT = 2;

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

  void add(Ulid id, long atMillis) {
    while (table.size() > 0
        && (table.word(table.oldest(), AT) + keptMillis <= atMillis
            || table.size() >= entriesMax)) {
      table.removeOldest();
    }
    table.add(id.high(), id.low(), atMillis);
  }

  public boolean contains(Ulid id) {
    return table.find(id.high(), id.low()) >= 0;
  }

  FrozenTable freeze() {
    return table.freeze();
  }
}
