package dev.ron.simulator.engine;

import java.time.Duration;

/**
 * Something that a plan has happen at a time: a client's call, or trouble.
 *
 * <p>Numbers and not names, taken modulo what there is, so that a plan stays good when others of
 * its steps are left out.
 *
 * @param millis since the start
 */
public record PlanStep(long millis, String verb, int a, int b, int c) {
  public Duration at() {
    return Duration.ofMillis(millis);
  }

  @Override
  public String toString() {
    return "%d %s %d %d %d".formatted(millis, verb, a, b, c);
  }
}
