package dev.ron.config;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** A new seed for each run, or the one given; {@code toString} says how to give it again. */
public record Seed(long value) {
  public static Seed fresh() {
    return new Seed(Long.getLong("ron.seed", System.nanoTime()));
  }

  public RandomGenerator random() {
    return RandomGeneratorFactory.of("SplittableRandom").create(value);
  }

  @Override
  public String toString() {
    return "replay with -Dron.seed=" + value;
  }
}
