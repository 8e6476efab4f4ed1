package dev.ron.kernel.limit;

import java.time.Duration;
import java.time.Instant;

/**
 * How many tokens a rate has left, exactly: in billionths of a token, so no rounding ever gives one
 * away.
 *
 * <p>The level may fall below zero: what was only known afterwards, such as the bytes of an answer,
 * is owed and flows back at the rate. A debt and the burst together are at most 2^33 tokens, so
 * that levels fit a long; what is owed beyond that is forgiven.
 *
 * <p>Threading: owned by the limit that asks it, under that limit's lock.
 */
public final class TokenLevel {
  /** The most that a burst and a debt can be together. */
  public static final long TOKENS_MAX = 1L << 33;

  private static final long NANO = 1_000_000_000L;

  private long rate;
  private long burst;
  private long level;
  private Instant refilled;

  /**
   * @param rate tokens a second, at least 1
   * @param burst tokens that may pass at once, at least 1, at most 2^33
   */
  public TokenLevel(long rate, long burst, Instant now) {
    this.rate = checkedRate(rate);
    this.burst = checkedBurst(burst);
    this.level = burst * NANO;
    this.refilled = now;
  }

  /** How long it will be until the tokens are there; more than the burst are never asked for. */
  public Duration untilThere(long tokens, Instant now) {
    refill(now);
    long missing = Math.min(tokens, burst) * NANO - level;
    return missing <= 0 ? Duration.ZERO : Duration.ofNanos(Math.ceilDiv(missing, rate));
  }

  /** Takes the tokens, also those that are not there yet. */
  public void take(long tokens, Instant now) {
    refill(now);
    long bounded = Math.min(tokens, TOKENS_MAX);
    long floor = (burst - TOKENS_MAX) * NANO;
    level = bounded * NANO >= level - floor ? floor : level - bounded * NANO;
  }

  /** Gives back what was taken and not used. */
  public void giveBack(long tokens, Instant now) {
    refill(now);
    long room = burst * NANO - level;
    level = Math.min(tokens, TOKENS_MAX) * NANO >= room ? burst * NANO : level + tokens * NANO;
  }

  /** Another rate from now on; what has accumulated stays, as far as the burst has room for it. */
  public void change(long tokensPerSecond, long tokensAtOnce, Instant now) {
    refill(now);
    rate = checkedRate(tokensPerSecond);
    burst = checkedBurst(tokensAtOnce);
    level = Math.clamp(level, (burst - TOKENS_MAX) * NANO, burst * NANO);
  }

  /** How many tokens are missing to a full burst, rounded up; more than the burst is a debt. */
  public long missing(Instant now) {
    refill(now);
    return Math.ceilDiv(burst * NANO - level, NANO);
  }

  /** Whether nothing is missing, so that it says no more than a new one would. */
  public boolean isFull(Instant now) {
    refill(now);
    return level == burst * NANO;
  }

  private void refill(Instant now) {
    long missing = burst * NANO - level;
    // Compare first: rate times a long pause would overflow, and the bucket is full by then anyway.
    Duration elapsed = Duration.between(refilled, now);
    Duration untilFull = Duration.ofNanos(Math.ceilDiv(missing, rate));
    level = elapsed.compareTo(untilFull) >= 0 ? burst * NANO : level + elapsed.toNanos() * rate;
    refilled = now;
  }

  private static long checkedRate(long rate) {
    if (rate < 1) {
      throw new IllegalArgumentException("rate = " + rate + ", must be at least 1 a second");
    }
    return rate;
  }

  private static long checkedBurst(long burst) {
    if (burst < 1 || burst > TOKENS_MAX) {
      throw new IllegalArgumentException("burst = " + burst + ", must be 1 to 2^33");
    }
    return burst;
  }
}
