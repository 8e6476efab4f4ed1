package dev.ron.rewarder.core;

/**
 * The part of the pool that was not paid and is not owed to any actor, by reason.
 *
 * <p>Each part is added up by itself where it arises, and not as what is left of the pool: that is
 * what makes {@link Totals#delta} a proof.
 *
 * <p>Threading: immutable.
 *
 * @param poolCap above the policy's cap, and what the shares of the pools leave over
 * @param unscored budgets of pools in which no actor has a score
 * @param rounding lost to division
 * @param minimum amounts that were too small to be paid
 * @param actorCap cut off amounts that were too large
 */
public record Residual(Wide poolCap, Wide unscored, Wide rounding, Wide minimum, Wide actorCap) {
  static final Residual NONE = new Residual(Wide.ZERO, Wide.ZERO, Wide.ZERO, Wide.ZERO, Wide.ZERO);

  public Wide sum() {
    return poolCap.plus(unscored).plus(rounding).plus(minimum).plus(actorCap);
  }

  Residual abovePoolCap(Wide more) {
    return new Residual(poolCap.plus(more), unscored, rounding, minimum, actorCap);
  }

  Residual unscored(Wide more) {
    return new Residual(poolCap, unscored.plus(more), rounding, minimum, actorCap);
  }

  Residual rounded(Wide more) {
    return new Residual(poolCap, unscored, rounding.plus(more), minimum, actorCap);
  }

  Residual belowMinimum(Wide more) {
    return new Residual(poolCap, unscored, rounding, minimum.plus(more), actorCap);
  }

  Residual aboveActorCap(Wide more) {
    return new Residual(poolCap, unscored, rounding, minimum, actorCap.plus(more));
  }
}
