package dev.ron.storage.cluster.object;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many reads may be asked twice: a share of all reads, and a few at once after a calm time.
 *
 * <p>Threading: thread-safe; one number, changed by compare and set, because a race asks for it
 * under its own lock.
 */
public final class HedgeBudget {
  /** A node that stalls makes many reads slow at the same moment. */
  private static final int BURST = 10;

  private final double share;
  private final AtomicLong creditBits = new AtomicLong(Double.doubleToLongBits(0));

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
    creditBits.updateAndGet(
        bits -> Double.doubleToLongBits(Math.min(BURST, Double.longBitsToDouble(bits) + share)));
  }

  /** True if a second one may be asked for now, and then it is paid for. */
  public boolean tryHedge() {
    while (true) {
      long bits = creditBits.get();
      double credit = Double.longBitsToDouble(bits);
      if (credit < 1) {
        return false;
      }
      if (creditBits.compareAndSet(bits, Double.doubleToLongBits(credit - 1))) {
        return true;
      }
    }
  }
}
