package dev.ron.bench.run;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets ours and the peer take turns, so that a machine that slows down slows both.
 *
 * <p>Two long runs one after the other measure the neighbours of a shared machine as much as the
 * programs; two short turns side by side meet the same neighbours. Who goes first changes, since
 * the second turn finds warmer caches and a busier disk.
 *
 * <p>The time is bounded: a round starts only if it would end within {@code limit} when it takes as
 * long as the longest so far. One round is always measured, because none is no result.
 *
 * <p>Threading: immutable; {@code run} uses the calling thread.
 */
public record Interleave(
    int warmupRounds, int rounds, Duration limit, Order order, LongSupplier nanoTime) {
  /** Odd with well-mixed bits: keeps the rounds of neighbouring seeds from overlapping. */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  public Interleave {
    if (warmupRounds < 0 || rounds < 1) {
      throw new IllegalArgumentException(
          "warmupRounds " + warmupRounds + " and rounds " + rounds + ": at least 0 and 1");
    }
    if (limit.isNegative() || limit.isZero()) {
      throw new IllegalArgumentException("limit " + limit + " is not positive");
    }
  }

  /** Who goes first in a round. */
  @FunctionalInterface
  public interface Order {
    boolean oursFirst(int round);

    static Order alternating() {
      return round -> round % 2 == 0;
    }

    /** Stateless, so that round 7 of a seed is the same whatever was asked before it. */
    static Order random(long seed) {
      return round -> new SplittableRandom(seed * GOLDEN + round).nextBoolean();
    }
  }

  /** Runs the warm-up rounds and then the measured ones; without a peer ours runs alone. */
  public <T> Rounds<T> run(Side<T> ours, @Nullable Side<T> peer)
      throws IOException, InterruptedException {
    var measured = new ArrayList<Rounds.Round<T>>(rounds);
    long start = nanoTime.getAsLong();
    long longest = 0;
    for (int round = 0; round < warmupRounds + rounds; round++) {
      long roundStart = nanoTime.getAsLong();
      boolean warmup = round < warmupRounds;
      // A warm-up leaves room for the round that must be measured after it.
      long needed = warmup ? 2 * longest : longest;
      boolean fits = roundStart - start + needed <= limit.toNanos();
      if (!fits && warmup) {
        continue;
      }
      if (!fits && !measured.isEmpty()) {
        break;
      }
      Rounds.Round<T> taken = take(round, ours, peer);
      if (!warmup) {
        measured.add(taken);
      }
      longest = Math.max(longest, nanoTime.getAsLong() - roundStart);
    }
    return new Rounds<>(measured, measured.size() < rounds);
  }

  private <T> Rounds.Round<T> take(int round, Side<T> ours, @Nullable Side<T> peer)
      throws IOException, InterruptedException {
    if (peer == null) {
      return new Rounds.Round<>(ours.measure(), null);
    }
    if (order.oursFirst(round)) {
      T first = ours.measure();
      return new Rounds.Round<>(first, peer.measure());
    }
    T first = peer.measure();
    return new Rounds.Round<>(ours.measure(), first);
  }
}
