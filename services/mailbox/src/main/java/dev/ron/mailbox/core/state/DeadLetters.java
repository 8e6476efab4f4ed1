package dev.ron.mailbox.core.state;

import dev.ron.mailbox.core.message.DeadLetterEntry;
import dev.ron.mailbox.core.message.Ulid;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Messages that no consumer could handle, with why; in the order of their deaths.
 *
 * <p>Nothing leaves by itself but by retention; an operator sends it again or drops it.
 *
 * <p>Threading: owned by the shard's loop.
 */
public final class DeadLetters {
  /** An entry with its id and an error of usual length. */
  static final int BYTES = 300;

  private final Map<Ulid, DeadLetterEntry> deaths = new LinkedHashMap<>();

  void add(DeadLetterEntry death) {
    deaths.put(death.id(), death);
  }

  @Nullable public DeadLetterEntry find(Ulid id) {
    return deaths.get(id);
  }

  void remove(Ulid id) {
    Objects.requireNonNull(deaths.remove(id), "a dead letter");
  }

  /** In the order of their ids, so that a reader can go on after the last one it saw. */
  public List<DeadLetterEntry> matching(Predicate<DeadLetterEntry> filter, int max) {
    return deaths.values().stream()
        .filter(filter)
        .sorted(Comparator.comparing(DeadLetterEntry::id))
        .limit(max)
        .toList();
  }

  /** Those that died at {@code untilMillis} or before. */
  public List<Ulid> diedUntil(long untilMillis, int max) {
    var old = new ArrayList<Ulid>();
    for (DeadLetterEntry death : deaths.values()) {
      if (death.atMillis() > untilMillis || old.size() == max) {
        break;
      }
      old.add(death.id());
    }
    return old;
  }

  List<DeadLetterEntry> all() {
    return List.copyOf(deaths.values());
  }

  public int size() {
    return deaths.size();
  }
}
