package dev.ron.kernel.supervise;

import dev.ron.kernel.channel.Inbox;
import java.time.Instant;
import java.util.List;

/** When a task wants its next step. */
public sealed interface Next {
  /** At once: there is more to do. */
  record Again() implements Next {
    private static final Again INSTANCE = new Again();
  }

  /** When one of the inboxes has something, but no later than the time given. */
  record Await(List<Inbox> inboxes, Instant noLaterThan) implements Next {
    public Await {
      inboxes = List.copyOf(inboxes);
    }
  }

  /** Never: the work is done. */
  record Done() implements Next {
    private static final Done INSTANCE = new Done();
  }

  static Next again() {
    return Again.INSTANCE;
  }

  static Next await(Inbox... inboxes) {
    return new Await(List.of(inboxes), Instant.MAX);
  }

  static Next await(Inbox inbox, Instant noLaterThan) {
    return new Await(List.of(inbox), noLaterThan);
  }

  /** For work on a period: at {@code at}, or earlier only to end. */
  static Next at(Instant at) {
    return new Await(List.of(), at);
  }

  static Next done() {
    return Done.INSTANCE;
  }
}
