package dev.ron.kernel.fault;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Something that is expected to go wrong, as a value.
 *
 * <p>Each service closes this over a sealed interface of one-line records whose {@link #said} is
 * one {@code switch} without a default, so that a new fault breaks the build exactly there. What is
 * not expected is a bug, and bugs are exceptions.
 *
 * <p>Everything else derives from {@link #said}, and {@code docs/faults.md} is printed from it.
 */
public interface Fault {
  /** Status, code, blame, retry and text in one row. */
  Said said();

  /** The HTTP status. */
  default int status() {
    return said().status();
  }

  /** Stable, lower case with dashes: the problem's {@code code}, the metric label, the doc row. */
  default String code() {
    return said().code();
  }

  default Blame blame() {
    return said().blame();
  }

  /** What is wrong with which value, and what to do about it; never a secret or a payload. */
  default String detail() {
    return said().text();
  }

  /** How long to wait before the same request may succeed; empty where waiting does not help. */
  default Optional<Duration> retryAfter() {
    return said().retryAfter();
  }

  /** What else a program may want to read off the problem, by name; usually nothing. */
  default Map<String, String> members() {
    return Map.of();
  }
}
