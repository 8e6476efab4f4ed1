package dev.ron.mailbox.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Messages that nobody could handle, with why; in the order of their deaths.
 *
 * <p>Nothing leaves by itself but by retention; an operator sends it again or drops it.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class DeadLetters {
  private final Map<Ulid, DeadLetter> letters = new LinkedHashMap<>();

  void add(DeadLetter letter) {
    letters.put(letter.message().id(), letter);
  }

  @Nullable DeadLetter find(Ulid id) {
    return letters.get(id);
  }

  DeadLetter remove(Ulid id) {
    return Objects.requireNonNull(letters.remove(id), "a dead letter");
  }

  /** In the order of their ids, so that a reader can go on after the last one it saw. */
  List<DeadLetter> matching(DeadFilter filter, int max) {
    return letters.values().stream()
        .filter(filter::matches)
        .sorted(Comparator.comparing(letter -> letter.message().id()))
        .limit(max)
        .toList();
  }

  /** Those that died at {@code untilMillis} or before. */
  List<Ulid> diedUntil(long untilMillis, int max) {
    var old = new ArrayList<Ulid>();
    for (DeadLetter letter : letters.values()) {
      if (letter.atMillis() > untilMillis || old.size() == max) {
        break;
      }
      old.add(letter.message().id());
    }
    return old;
  }

  Collection<DeadLetter> all() {
    return Collections.unmodifiableCollection(letters.values());
  }

  int size() {
    return letters.size();
  }
}
