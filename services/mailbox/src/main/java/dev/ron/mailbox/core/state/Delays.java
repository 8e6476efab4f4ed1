package dev.ron.mailbox.core.state;

import dev.ron.mailbox.core.message.Ulid;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Messages that are not ready before a moment: sent with a delay, or resting after a refusal.
 *
 * <p>They wait beside the ready ones, not among them, so that they block no other message.
 *
 * <p>Threading: owned by the shard's loop.
 */
public final class Delays {
  private final Map<Ulid, Long> readyAt = new HashMap<>();
  private final DueTimes deadlines = new DueTimes();

  void add(Ulid id, long readyAtMillis) {
    deadlines.add(id, readyAtMillis);
    readyAt.put(id, readyAtMillis);
  }

  void remove(Ulid id) {
    deadlines.remove(id, readyAtMillis(id));
    readyAt.remove(id);
  }

  long readyAtMillis(Ulid id) {
    return Objects.requireNonNull(readyAt.get(id), "a message that is delayed");
  }

  /** Until when, by the messages' numbers. */
  Map<Long, Long> byNumber() {
    var copy = new HashMap<Long, Long>(readyAt.size() * 2);
    readyAt.forEach((id, until) -> copy.put(id.number(), until));
    return copy;
  }

  /** Those that are not ready at a moment yet. */
  List<Ulid> after(long nowMillis) {
    return readyAt.entrySet().stream()
        .filter(each -> each.getValue() > nowMillis)
        .map(Map.Entry::getKey)
        .toList();
  }

  public List<Ulid> over(long nowMillis, int max) {
    return deadlines.until(nowMillis, max);
  }

  public long nextMillis() {
    return deadlines.nextMillis();
  }

  int size() {
    return readyAt.size();
  }
}
