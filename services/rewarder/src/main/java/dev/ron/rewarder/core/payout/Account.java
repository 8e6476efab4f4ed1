package dev.ron.rewarder.core.payout;

import dev.ron.rewarder.core.Wide;

/**
 * One side of postings: what came in, and what went out.
 *
 * <p>Threading: immutable.
 */
public record Account(Wide credits, Wide debits) {
  static final Account EMPTY = new Account(Wide.ZERO, Wide.ZERO);

  Account credited(Wide amount) {
    return new Account(credits.plus(amount), debits);
  }

  Account debited(Wide amount) {
    return new Account(credits, debits.plus(amount));
  }

  /** Credits less debits, with a sign. */
  public String balance() {
    return credits.compareTo(debits) >= 0
        ? credits.minus(debits).toString()
        : "-" + debits.minus(credits);
  }
}
