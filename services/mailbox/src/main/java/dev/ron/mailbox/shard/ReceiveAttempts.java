package dev.ron.mailbox.shard;

import dev.ron.mailbox.core.message.Fact;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What named receives of FIFO queues got lately, so that a repetition gets the same.
 *
 * <p>In memory only: after a crash or on another leader a repetition is a receive like any other,
 * and the group waits for its leases to end.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class ReceiveAttempts {
  static final long KEPT_MILLIS = 300_000;
  private static final int ENTRIES_MAX = 4096;

  private final Map<Name, Attempt> attempts = new LinkedHashMap<>();

  private record Name(String topic, String attemptId) {}

  private record Attempt(List<Fact.Leased> leases, long atMillis) {}

  /** What the first of this name got; empty if there was none or it is too long ago. */
  List<Fact.Leased> find(ReceiveRequest request, long nowMillis) {
    if (request.attemptId().isEmpty()) {
      return List.of();
    }
    Attempt attempt = attempts.get(new Name(request.topic(), request.attemptId()));
    return attempt == null || attempt.atMillis() + KEPT_MILLIS <= nowMillis
        ? List.of()
        : attempt.leases();
  }

  /** Remembers what one got, and forgets what is too long ago. */
  void add(ReceiveRequest request, List<Fact.Leased> leases, long nowMillis) {
    if (request.attemptId().isEmpty() || leases.isEmpty()) {
      return;
    }
    Iterator<Attempt> oldest = attempts.values().iterator();
    while (oldest.hasNext()
        && (oldest.next().atMillis() + KEPT_MILLIS <= nowMillis
            || attempts.size() >= ENTRIES_MAX)) {
      oldest.remove();
    }
    var name = new Name(request.topic(), request.attemptId());
    attempts.remove(name);
    attempts.put(name, new Attempt(List.copyOf(leases), nowMillis));
  }

  /** The leases of one begin anew; when it was stays. */
  void renew(ReceiveRequest request, long untilMillis) {
    attempts.computeIfPresent(
        new Name(request.topic(), request.attemptId()),
        (_, attempt) -> {
          var renewed = new ArrayList<Fact.Leased>();
          for (Fact.Leased each : attempt.leases()) {
            renewed.add(
                new Fact.Leased(
                    each.id(), each.receipt(), untilMillis, each.atMillis(), each.durable()));
          }
          return new Attempt(renewed, attempt.atMillis());
        });
  }
}
