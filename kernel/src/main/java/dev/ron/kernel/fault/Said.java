package dev.ron.kernel.fault;

import java.time.Duration;
import java.util.Optional;

/**
 * One row of the table of faults: everything a fault tells the outside.
 *
 * <p>A sealed fault gives one for each of its records, in one {@code switch} without a default:
 *
 * <pre>{@code
 * default Said said() {
 *   return switch (this) {
 *     case Malformed(var detail) -> caller(400, "malformed", detail);
 *     case Unavailable(var why) -> us(503, "unavailable", why).after(REST);
 *   };
 * }
 * }</pre>
 *
 * <p>Threading: immutable.
 *
 * @param status the HTTP status; {@link #NO_STATUS} for a fault that never leaves its process
 * @param code stable, lower case with dashes: the problem's {@code code} and the metric label
 * @param retryAfter how long to wait before the same request may succeed; empty where waiting does
 *     not help
 * @param text what is wrong with which value, and what to do about it; never a secret or a payload
 */
public record Said(
    int status, String code, Blame blame, Optional<Duration> retryAfter, String text) {
  /** For a fault that its owner turns into another fault, which has a status. */
  public static final int NO_STATUS = 0;

  public static Said caller(int status, String code, String text) {
    return new Said(status, code, Blame.CALLER, Optional.empty(), text);
  }

  public static Said us(int status, String code, String text) {
    return new Said(status, code, Blame.US, Optional.empty(), text);
  }

  public static Said upstream(int status, String code, String text) {
    return new Said(status, code, Blame.UPSTREAM, Optional.empty(), text);
  }

  /** The same, with the time after which it is worth asking again. */
  public Said after(Duration rest) {
    return new Said(status, code, blame, Optional.of(rest), text);
  }
}
