package dev.ron.storage.cluster.core;

/**
 * How many reads may be asked twice: a share of all reads, and a few at once after a calm time.
 *
 * <p>Threading: owned by HedgedRead, under its lock.
 */
public final class HedgeBudget {
  /** A node that stalls makes many reads slow at the same moment. */
  private static final int BURST = 10;

  private final double share;
  private double credit;

  /**
   * @param share of reads, 0 to 1
   */
  public HedgeBudget(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("hedge_budget = " + share);
    }
    this.share = share;
  }

  /** A read was asked for. */
  public void read() {
    credit = Math.min(BURST, credit + share);
  }

  /** True if a second one may be asked for now, and then it is paid for. */
  public boolean tryHedge() {
    if (credit < 1) {
      return false;
    }
    credit -= 1;
    return true;
  }
}
