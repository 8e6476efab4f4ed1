package dev.ron.storage.core;

import java.time.Duration;
import java.util.Arrays;

/**
 * What readers feel of repair: how many of their reads take longer than they do without it.
 *
 * <p>How long a read takes when nothing disturbs it is learnt from the reads made while repair
 * moved nothing. While repair moves, a read that takes a quarter longer than all but a hundredth of
 * those did is slow, and readers are in trouble when more than a fiftieth of their latest reads are
 * slow. A p99 of every step by itself would be the slowest of a few dozen reads, and jump about.
 *
 * <p>Threading: owned by RepairThrottle, under its lock.
 */
public final class ReadTimes {
  /** What readers feel. */
  public enum Felt {
    /** There are no reads. */
    IDLE,
    /** There are reads, and it is not known yet how long they take without repair. */
    UNKNOWN,
    EASE,
    TROUBLE
  }

  /** Reads within this time are no trouble, whatever they took before. */
  static final Duration UNNOTICED = Duration.ofMillis(1);

  /** Enough for a p99, and a fixed price. */
  private static final int SAMPLES = 1024;

  /** Fewer say nothing about the slowest hundredth. */
  private static final int SAMPLES_LEAST = 20;

  /** This many do though repair goes on: it is as slow as it can be while nothing is known. */
  private static final int SAMPLES_DISTURBED = 200;

  /** Each step weighs three quarters of the next: a few steps are remembered. */
  private static final double KEPT = 0.75;

  /** Fewer, in the weighted count of the latest steps, are none. */
  private static final double READS_LEAST = 0.5;

  private static final double SLOW_SHARE_MAX = 0.02;

  /** Doubles what is thought normal in some 350 steps in which less repair did not help. */
  private static final int DRIFT = 512;

  private final long[] step = new long[SAMPLES];
  private int stepReads;
  private final long[] calm = new long[SAMPLES];
  private long calmReads;
  private long calmNanos;
  private double reads;
  private double slow;
  private boolean movedBefore;

  /** A read took so long. */
  public void add(long nanos) {
    step[stepReads % SAMPLES] = nanos;
    stepReads++;
  }

  /** The slowest hundredth of undisturbed reads takes longer than this; 0 while unknown. */
  public long calmNanos() {
    return calmNanos;
  }

  /**
   * Ends a step of time.
   *
   * @param moved whether repair moved anything in it
   */
  public Felt step(boolean moved) {
    int count = Math.min(stepReads, SAMPLES);
    // What was moved last may still be felt.
    boolean undisturbed = !moved && !movedBefore;
    movedBefore = moved;
    reads = reads * KEPT + stepReads;
    slow = slow * KEPT + slow(count) * ((double) stepReads / Math.max(1, count));
    if (undisturbed) {
      slow = 0;
      learn(count, SAMPLES_LEAST);
    } else if (calmNanos == 0) {
      // A repair that lasts for days must not stay slow for want of a pause to measure in.
      learn(count, SAMPLES_DISTURBED);
    }
    stepReads = 0;
    if (reads < READS_LEAST) {
      return Felt.IDLE;
    }
    if (calmNanos == 0) {
      return Felt.UNKNOWN;
    }
    if (slow <= reads * SLOW_SHARE_MAX) {
      return Felt.EASE;
    }
    // Trouble that does not end when repair all but stops is not repair's, but a busier day.
    calmNanos += calmNanos / DRIFT + 1;
    return Felt.TROUBLE;
  }

  private int slow(int count) {
    long limit = Math.max(UNNOTICED.toNanos(), calmNanos + calmNanos / 4);
    int slower = 0;
    for (int i = 0; i < count; i++) {
      slower += calmNanos > 0 && step[i] > limit ? 1 : 0;
    }
    return slower;
  }

  private void learn(int count, int enough) {
    for (int i = 0; i < count; i++) {
      calm[(int) (calmReads % SAMPLES)] = step[i];
      calmReads++;
    }
    if (count > 0 && calmReads >= enough) {
      long[] sorted = Arrays.copyOf(calm, (int) Math.min(calmReads, SAMPLES));
      Arrays.sort(sorted);
      calmNanos = Math.max(1, sorted[sorted.length - 1 - sorted.length / 100]);
    }
  }
}
