package dev.ron.kernel.supervise;

import dev.ron.kernel.retry.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;

/**
 * How long a failed task rests, and when its failures make the service not ready.
 *
 * <p>The first restart comes after 100 to 400 ms, each further one within the same minute after
 * twice that, up to 5 s. More than five in a minute escalate: the task is still tried, but the
 * service says that it is not ready until a minute has passed without too many.
 *
 * <p>Threading: owned by one {@link TaskCell}.
 */
final class RestartBudget {
  static final int RESTARTS_MAX = 5;
  static final Duration WINDOW = Duration.ofMinutes(1);
  private static final Backoff BACKOFF =
      new Backoff.Scaled(Duration.ofMillis(100), Duration.ofMillis(400), Duration.ofSeconds(5));

  private final RandomGenerator random;
  private final Deque<Instant> failures = new ArrayDeque<>();

  RestartBudget(RandomGenerator random) {
    this.random = random;
  }

  /** Notes a failure and answers when to start again. */
  Instant restartAt(Instant now) {
    forget(now);
    Duration rest = BACKOFF.delay(failures.size(), random);
    // A task that fails for days must not remember every failure: past the limit only the latest
    // count.
    if (failures.size() > RESTARTS_MAX) {
      failures.removeFirst();
    }
    failures.addLast(now);
    return now.plus(rest);
  }

  boolean escalated(Instant now) {
    forget(now);
    return failures.size() > RESTARTS_MAX;
  }

  /** When {@link #escalated} turns false if nothing fails until then. */
  Instant calmAt() {
    return failures.isEmpty() ? Instant.MIN : failures.getFirst().plus(WINDOW);
  }

  private void forget(Instant now) {
    while (!failures.isEmpty() && !failures.getFirst().plus(WINDOW).isAfter(now)) {
      failures.removeFirst();
    }
  }
}
