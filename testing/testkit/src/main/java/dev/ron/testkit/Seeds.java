package dev.ron.testkit;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/**
 * Runs a property under many seeds, and says which one broke it.
 *
 * <p>{@code -Dron.seed=42} runs that one alone. The first seeds are always the same, so that a
 * build repeats; {@code -Dron.seed.from=1000000} starts elsewhere to look for new ones.
 */
public final class Seeds {
  private Seeds() {}

  /** What holds for every seed. */
  @FunctionalInterface
  public interface Property {
    void check(long seed, RandomGenerator random) throws Exception;
  }

  public static void forEach(int count, Property property) {
    seeds(count)
        .forEach(
            seed -> {
              try {
                property.check(seed, new SplittableRandom(seed));
              } catch (Exception | AssertionError failure) {
                throw new AssertionError(
                    "seed %d fails; repeat it with -Dron.seed=%d: %s"
                        .formatted(seed, seed, failure.getMessage()),
                    failure);
              }
            });
  }

  private static LongStream seeds(int count) {
    Long only = Long.getLong("ron.seed");
    if (only != null) {
      return LongStream.of(only);
    }
    long from = Long.getLong("ron.seed.from", 1);
    return LongStream.range(from, from + count);
  }
}
