package dev.ron.kernel.fault;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Something that is expected to go wrong, as a value.
 *
 * <p>Each service closes this over a sealed interface of its own, so that one {@code switch}
 * without a default turns faults into answers and a new fault breaks the build exactly there. What
 * is not expected is a bug, and bugs are exceptions.
 */
public interface Fault {
  /** Stable, lower case with dashes: the problem's {@code code}, the metric label, the doc row. */
  String code();

  Blame blame();

  /** What is wrong with which value, and what to do about it; never a secret or a payload. */
  String detail();

  /** How long to wait before the same request may succeed; empty where waiting does not help. */
  default Optional<Duration> retryAfter() {
    return Optional.empty();
  }

  /** What else a program may want to read off the problem, by name; usually nothing. */
  default Map<String, String> members() {
    return Map.of();
  }
}
