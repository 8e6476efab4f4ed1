package dev.ron.rewarder.input;

import dev.ron.kernel.Scope;
import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether the storage answers, for {@code /readyz}.
 *
 * <p>One input that cannot be fetched is a failed run; several in a row are a rewarder that can
 * compute nothing. A rewarder that is not ready gets no requests for runs and could never find out
 * that the storage is back, so the last failure counts for a while only.
 *
 * <p>Threading: thread-safe.
 */
final class StorageHealth {
  private static final int FAILURES_MAX = 3;
  private static final Duration REMEMBERED = Duration.ofSeconds(30);

  private final Time time;
  private final AtomicReference<Last> last =
      new AtomicReference<>(new Last(0, Instant.MIN, "nothing was asked yet"));

  /** The failures since the last answer. */
  private record Last(int failures, Instant at, String why) {}

  StorageHealth(Scope scope) {
    this.time = scope.time();
    scope.readiness().derived("storage", this::missing);
  }

  void answered() {
    last.updateAndGet(before -> new Last(0, before.at(), before.why()));
  }

  void failed(String why) {
    Instant now = time.now();
    last.updateAndGet(before -> new Last(before.failures() + 1, now, why));
  }

  private Optional<String> missing() {
    Last seen = last.get();
    return seen.failures() < FAILURES_MAX || !time.now().isBefore(seen.at().plus(REMEMBERED))
        ? Optional.empty()
        : Optional.of(
            "the storage failed %d times in a row: %s".formatted(seen.failures(), seen.why()));
  }
}
