package dev.ron.rewarder.core;

import java.util.List;

/**
 * The sums of a run.
 *
 * <p>Threading: immutable.
 *
 * @param scores of each pool
 * @param actors all actors in the accounting, held ones included
 * @param lines allocations
 * @param heldActors not among the lines
 */
public record Totals(
    Wide pool,
    List<Wide> scores,
    long actors,
    long lines,
    long heldActors,
    Wide paid,
    Wide held,
    Residual residual) {
  public Totals {
    scores = List.copyOf(scores);
  }

  /**
   * Whether paid, held and residual add up to exactly the pool; otherwise the run is quarantined.
   */
  public boolean conserves() {
    try {
      return paid.plus(held).plus(residual.sum()).equals(pool);
    } catch (ArithmeticException _) {
      return false;
    }
  }

  /** How far the sum is from the pool, signed, for people to read. */
  public String delta() {
    try {
      Wide sum = paid.plus(held).plus(residual.sum());
      return sum.compareTo(pool) < 0 ? "-" + pool.minus(sum) : sum.minus(pool).toString();
    } catch (ArithmeticException _) {
      return "more than 2^127";
    }
  }

  public Wide scoreTotal() {
    Wide sum = Wide.ZERO;
    for (Wide each : scores) {
      sum = sum.plus(each);
    }
    return sum;
  }
}
