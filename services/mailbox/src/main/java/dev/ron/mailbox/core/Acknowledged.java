package dev.ron.mailbox.core;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Messages that were acknowledged lately, so that a second ack is told the same as the first.
 *
 * <p>Bounded by forgetting the oldest: after that a repeated ack is told {@code unknown-message},
 * and nothing is lost by it.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class Acknowledged {
  private final int entriesMax;
  private final long keptMillis;
  private final Map<Ulid, Long> ackedAt = new LinkedHashMap<>();

  Acknowledged(int entriesMax, long keptMillis) {
    this.entriesMax = entriesMax;
    this.keptMillis = keptMillis;
  }

  void add(Ulid id, long atMillis) {
    for (Iterator<Long> oldest = ackedAt.values().iterator(); oldest.hasNext(); ) {
      if (oldest.next() + keptMillis > atMillis && ackedAt.size() < entriesMax) {
        break;
      }
      oldest.remove();
    }
    ackedAt.put(id, atMillis);
  }

  boolean contains(Ulid id) {
    return ackedAt.containsKey(id);
  }

  Map<Ulid, Long> all() {
    return ackedAt;
  }
}
