package dev.ron.rewarder.core;

import java.util.Arrays;
import java.util.List;

/**
 * The last pass of the calculus: gives each actor its amount and adds up where every unit went.
 *
 * <p>Threading: owned by the run.
 */
final class AllocationPass {
  private final Policy policy;
  private final AllocationSink sink;
  private Residual residual;
  private Wide paid = Wide.ZERO;
  private Wide held = Wide.ZERO;
  private final Wide[] given;
  private long lines;
  private long heldActors;

  AllocationPass(Policy policy, AllocationSink sink, Residual residual) {
    this.policy = policy;
    this.given = new Wide[policy.pools().size()];
    Arrays.fill(given, Wide.ZERO);
    this.sink = sink;
    this.residual = residual;
  }

  /** What one pool gave one actor, before the minimum and the cap. */
  void portion(int pool, Wide amount) {
    given[pool] = given[pool].plus(amount);
  }

  /** A budget that was divided; what was not given of it was lost to rounding. */
  void divided(int pool, Wide budget) {
    residual = residual.rounded(budget.minus(given[pool].min(budget)));
  }

  void give(ScoreCursor cursor, Wide full) {
    Wide amount = full;
    if (amount.compareTo(policy.minPayout()) < 0) {
      residual = residual.belowMinimum(amount);
      amount = Wide.ZERO;
    }
    if (policy.actorCap().isPresent() && amount.compareTo(policy.actorCap().get()) > 0) {
      residual = residual.aboveActorCap(amount.minus(policy.actorCap().get()));
      amount = policy.actorCap().get();
    }
    if (cursor.badLines() == 0) {
      lines++;
      paid = paid.plus(amount);
      sink.allocate(cursor, amount);
    } else {
      heldActors++;
      held = held.plus(amount);
      sink.hold(cursor, amount);
    }
  }

  Totals totals(Wide pool, List<Wide> scores, long actors) {
    return new Totals(pool, scores, actors, lines, heldActors, paid, held, residual);
  }
}
