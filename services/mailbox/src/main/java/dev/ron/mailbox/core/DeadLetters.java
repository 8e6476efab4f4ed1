package dev.ron.mailbox.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Messages that nobody could handle, with why; in the order of their deaths.
 *
 * <p>Nothing leaves by itself but by retention; an operator sends it again or drops it.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class DeadLetters {
  /** An entry with its id and an error of usual length. */
  static final int BYTES = 300;

  private final Map<Ulid, Death> deaths = new LinkedHashMap<>();

  void add(Death death) {
    deaths.put(death.id(), death);
  }

  @Nullable Death find(Ulid id) {
    return deaths.get(id);
  }

  void remove(Ulid id) {
    Objects.requireNonNull(deaths.remove(id), "a dead letter");
  }

  /** In the order of their ids, so that a reader can go on after the last one it saw. */
  List<Death> matching(Predicate<Death> filter, int max) {
    return deaths.values().stream()
        .filter(filter)
        .sorted(Comparator.comparing(Death::id))
        .limit(max)
        .toList();
  }

  /** Those that died at {@code untilMillis} or before. */
  List<Ulid> diedUntil(long untilMillis, int max) {
    var old = new ArrayList<Ulid>();
    for (Death death : deaths.values()) {
      if (death.atMillis() > untilMillis || old.size() == max) {
        break;
      }
      old.add(death.id());
    }
    return old;
  }

  List<Death> all() {
    return List.copyOf(deaths.values());
  }

  int size() {
    return deaths.size();
  }
}
