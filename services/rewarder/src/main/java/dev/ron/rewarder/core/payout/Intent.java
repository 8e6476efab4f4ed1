package dev.ron.rewarder.core.payout;

import dev.ron.rewarder.core.Wide;

/**
 * An intent to pay one line of a run; the run's key and the line are its idempotency key.
 *
 * <p>Threading: immutable.
 *
 * @param line counted from 1
 */
public record Intent(String runKey, long line, String actor, Wide amount) {
  /** As ledgers see it. */
  public String key() {
    return runKey + ":" + line;
  }
}
