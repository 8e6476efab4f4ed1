package dev.ron.simulator.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.QueueTopic;
import dev.ron.simulator.engine.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What clients were told about messages, and whether what they are told next agrees with it.
 *
 * <p>Every message has a body of its own, so a body that comes back tells which send it was.
 *
 * <p>Threading: owned by the scheduler's thread.
 */
final class MessageLedger {
  private final Map<String, Entry> byBody = new TreeMap<>();
  private final Map<Ulid, Entry> byId = new HashMap<>();
  private final List<Entry> all = new ArrayList<>();

  /** Orders what clients begin and what they are told. */
  private long clock;

  /** A message that a client tried to send. */
  static final class Entry {
    final String body;
    final String topic;
    final String group;
    final String key;
    final long sentMillis;
    @Nullable Ulid id;
    boolean deleteTried;
    long deletedAt = Long.MAX_VALUE;
    boolean seenInTheEnd;

    private Entry(String body, String topic, String group, String key, long sentMillis) {
      this.body = body;
      this.topic = topic;
      this.group = group;
      this.key = key;
      this.sentMillis = sentMillis;
    }

    byte[] bytes() {
      return body.getBytes(UTF_8);
    }

    boolean isFifo() {
      return !group.isEmpty();
    }

    boolean isQueued() {
      return QueueTopic.is(topic);
    }
  }

  List<Entry> all() {
    return all;
  }

  long began() {
    return ++clock;
  }

  Entry attempt(String topic, String group, String key, long nowMillis) {
    var entry =
        new Entry("%s#%s#%d".formatted(topic, group, all.size()), topic, group, key, nowMillis);
    all.add(entry);
    byBody.put(entry.body, entry);
    return entry;
  }

  /** A send was answered. */
  void accepted(Entry entry, Ulid id) {
    if (entry.id != null && !entry.id.equals(id)) {
      throw new Violation(
          "one key, one message",
          "%s was accepted as %s and as %s".formatted(entry.body, entry.id, id));
    }
    Entry other = byId.putIfAbsent(id, entry);
    if (other != null && other != entry) {
      throw new Violation(
          "an id is given once", "%s is %s and %s".formatted(id, other.body, entry.body));
    }
    entry.id = id;
  }

  /**
   * @param before {@link #began} when the receive that brought them was begun
   */
  void delivered(String topic, List<Envelope> envelopes, long before, boolean inTheEnd) {
    List<Entry> together = new ArrayList<>();
    for (Envelope each : envelopes) {
      Entry entry = byBody.get(new String(each.body(), UTF_8));
      if (entry == null || !entry.topic.equals(topic)) {
        throw new Violation(
            "what is received was sent",
            "%s in %s".formatted(new String(each.body(), UTF_8), topic));
      }
      Ulid id = each.message().id();
      if (entry.id == null) {
        // Its sender does not know yet, or never will.
        accepted(entry, id);
      } else if (!entry.id.equals(id)) {
        throw new Violation(
            "a message is there once", "%s is %s and %s".formatted(entry.body, entry.id, id));
      }
      if (entry.deletedAt < before) {
        throw new Violation("a delete stays deleted", entry.body + " was received again");
      }
      if (entry.isFifo()) {
        checkOrder(entry, together);
      }
      entry.seenInTheEnd |= inTheEnd;
      together.add(entry);
    }
  }

  private void checkOrder(Entry entry, List<Entry> together) {
    Ulid id = entry.id;
    for (Entry other : all) {
      if (id != null
          && other.id != null
          && other != entry
          && other.topic.equals(entry.topic)
          && other.group.equals(entry.group)
          && other.id.number() < id.number()
          && !other.deleteTried
          && !together.contains(other)) {
        throw new Violation(
            "a group is received in its order", "%s before %s".formatted(entry.body, other.body));
      }
    }
  }

  @Nullable Entry find(Ulid id) {
    return byId.get(id);
  }

  void deleted(Entry entry) {
    entry.deletedAt = Math.min(entry.deletedAt, ++clock);
  }

  /** Everything was received that could be. */
  void checkConserved() {
    for (Entry each : all) {
      if (each.id != null && !each.deleteTried && !each.seenInTheEnd) {
        throw new Violation("what was accepted is there", "%s, %s".formatted(each.body, each.id));
      }
    }
  }
}
