package dev.ron.mailbox.core;

import dev.ron.blake3.Hash;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was sent under which key in the last {@code t_replay}.
 *
 * <p>Bounded, and never forgets early: when it is full of keys that are still to be remembered,
 * {@link #roomAtMillis} says when the next one may be forgotten, and until then a send is refused.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class Deduplication {
  private final int entriesMax;

  /** All are kept equally long, so the order of insertion is the order of forgetting. */
  private final Map<Key, Entry> entries = new LinkedHashMap<>();

  /** Keys are the topic's own. */
  record Key(String topic, String idemKey) {}

  /** The first message under a key. */
  record Entry(Ulid id, Hash payloadHash, long untilMillis) {}

  Deduplication(int entriesMax) {
    this.entriesMax = entriesMax;
  }

  @Nullable Entry find(String topic, String idemKey, long nowMillis) {
    Entry entry = entries.get(new Key(topic, idemKey));
    return entry == null || entry.untilMillis() <= nowMillis ? null : entry;
  }

  /** When there is room for one more: {@code nowMillis} itself if there is now. */
  long roomAtMillis(long nowMillis) {
    if (entries.size() < entriesMax) {
      return nowMillis;
    }
    return Math.max(nowMillis, entries.values().iterator().next().untilMillis());
  }

  /** Remembers a key, and forgets those whose time had come when this one was sent. */
  void remember(String topic, String idemKey, Entry entry, long nowMillis) {
    for (Iterator<Entry> oldest = entries.values().iterator();
        oldest.hasNext() && oldest.next().untilMillis() <= nowMillis; ) {
      oldest.remove();
    }
    var key = new Key(topic, idemKey);
    entries.remove(key);
    entries.put(key, entry);
  }

  Map<Key, Entry> entries() {
    return entries;
  }
}
