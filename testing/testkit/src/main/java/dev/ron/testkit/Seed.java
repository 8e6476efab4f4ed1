package dev.ron.testkit;

import java.util.Random;
import java.util.SplittableRandom;

/**
 * The start of a random test; shown in every failure message, and {@code -Dron.seed} repeats it.
 */
public record Seed(long value) {
  public static Seed fresh() {
    Long given = Long.getLong("ron.seed");
    return new Seed(given == null ? new SplittableRandom().nextLong() : given);
  }

  public Random random() {
    return new Random(value);
  }

  @Override
  public String toString() {
    return "repeat with -Dron.seed=" + value;
  }
}
