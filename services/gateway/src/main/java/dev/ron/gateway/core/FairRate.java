package dev.ron.gateway.core;

import java.time.Duration;
import java.time.Instant;

/**
 * A rate that is shared: between tenants, and within a tenant that many are together between those.
 *
 * <p>It is a bucket of one second's worth, and an account of who drained it. Each token that is
 * taken is owed by its asker; each token that flows back repays those that owe, in equal parts. So
 * an asker that saturates gets exactly its part, whatever it sends, and one that asks for less than
 * its part owes nothing and leaves the rest to the others: shares are max-min fair, and nothing is
 * withheld while there is an asker for it.
 *
 * <p>How much an asker may owe depends on what is left in the bucket: {@value #SHARE} times that.
 * One tenant alone therefore leaves a quarter of the bucket and one stranger almost half of it,
 * which is there for the next that comes. Buffers of switches are shared by the same rule
 * (Choudhury and Hahne, 1998). A full bucket is open to all.
 *
 * <p>Strangers, who are known by their address only, are one tenant together, and share its part
 * among them by the same rules; so do the tokens of the operator. So no number of addresses takes
 * from a tenant more than another tenant could, nor a token that was lost more from the others.
 *
 * <p>Over any window of length t at most one second's worth and {@code rate * t} pass.
 *
 * <p>Threading: owned by its caller.
 */
public final class FairRate {
  static final int SHARE = 3;
  static final int TENANTS_MAX = 4096;
  static final int STRANGERS_MAX = 16_384;
  static final int OPERATORS_MAX = 1024;

  private static final long ONE = Debtors.ONE;

  /** Of a token that is being saved; finer parts would tell nothing. */
  private static final long PARTS = 1000;

  private static final int KEPT_MAX = 8;
  private static final int KEPT_SHARE = 16;
  private static final Duration WAIT_MAX = Duration.ofMinutes(1);

  private final long rate;
  private final long full;
  private final long kept;
  private final Debtors tenants;
  private final Crowd strangers;
  private final Crowd operators;
  private long level;
  private Instant filled;

  /**
   * Many that are one tenant together.
   *
   * @param all what they owe as that tenant
   */
  private record Crowd(Debtors.Debtor all, Debtors members) {}

  /**
   * @param rate tokens a second
   * @param salt see {@link Debtors}
   */
  public FairRate(int rate, Instant now, int salt) {
    this(rate, now, salt, TENANTS_MAX, STRANGERS_MAX);
  }

  FairRate(int rate, Instant now, int salt, int tenantsMax, int strangersMax) {
    if (rate < 1) {
      throw new IllegalArgumentException("rate = " + rate + ", must be at least 1 a second");
    }
    this.rate = rate;
    this.full = rate * ONE;
    this.kept = Math.clamp(full / KEPT_SHARE, ONE / SHARE, KEPT_MAX * ONE);
    this.level = full;
    this.filled = now;
    this.tenants = new Debtors(tenantsMax, full, salt);
    this.strangers = new Crowd(tenants.unnamed(), new Debtors(strangersMax, full, salt));
    this.operators = new Crowd(tenants.unnamed(), new Debtors(OPERATORS_MAX, full, salt));
  }

  /**
   * Takes a token for a tenant.
   *
   * @return zero if it was there for it, else when to come again
   */
  public Duration tenant(String name, Instant now) {
    fill(now);
    Debtors.Debtor asker = tenants.of(name);
    if (open(tenants.debt(asker), level)) {
      level -= ONE;
      tenants.took(asker);
      return Duration.ZERO;
    }
    tenants.refused(asker);
    return turns(tenants.owing());
  }

  /** Takes a token for an address. */
  public Duration stranger(String address, Instant now) {
    return member(strangers, address, now);
  }

  /** Takes a token for one of the operator's capabilities. */
  public Duration operator(String capability, Instant now) {
    return member(operators, capability, now);
  }

  private Duration member(Crowd crowd, String name, Instant now) {
    fill(now);
    Debtors.Debtor asker = crowd.members.of(name);
    tenants.forgive(crowd.all);
    // All of them together may owe as much as a tenant; a token takes one from what is left of it.
    long room = (SHARE * (level - ONE) - tenants.debt(crowd.all)) / (SHARE + 1);
    if (open(crowd.members.debt(asker), room)) {
      level -= ONE;
      tenants.took(crowd.all);
      crowd.members.took(asker);
      return Duration.ZERO;
    }
    tenants.refused(crowd.all);
    crowd.members.refused(asker);
    return turns((long) tenants.owing() * crowd.members.owing());
  }

  /** Puts back what a tenant took for something that was not done after all. */
  public void tenantGaveBack(String name, Instant now) {
    fill(now);
    level = Math.min(full, level + ONE);
    tenants.gaveBack(tenants.of(name));
  }

  /** Puts back what an address took for something that was not done after all. */
  public void strangerGaveBack(String address, Instant now) {
    memberGaveBack(strangers, address, now);
  }

  /** Puts back what one of the operator's capabilities took for something that was not done. */
  public void operatorGaveBack(String capability, Instant now) {
    memberGaveBack(operators, capability, now);
  }

  private void memberGaveBack(Crowd crowd, String name, Instant now) {
    fill(now);
    level = Math.min(full, level + ONE);
    tenants.gaveBack(crowd.all);
    crowd.members.gaveBack(crowd.members.of(name));
  }

  /**
   * What is left behind the token that is asked for must cover what is owed. The first {@code kept}
   * tokens are for those that have something saved, the more of them the more it is.
   */
  private boolean open(long debt, long room) {
    long cover = debt < 0 ? kept / PARTS * ((debt + ONE) / (ONE / PARTS)) : kept + debt / SHARE;
    return level >= ONE && (level == full || room - ONE >= cover);
  }

  private Duration turns(long askers) {
    Duration wait = Duration.ofNanos(Math.ceilDiv(ONE, rate)).multipliedBy(Math.max(1, askers));
    return wait.compareTo(WAIT_MAX) > 0 ? WAIT_MAX : wait;
  }

  private void fill(Instant now) {
    Duration elapsed = Duration.between(filled, now);
    if (!elapsed.isPositive()) {
      return;
    }
    filled = now;
    // Compare first: a long pause times the rate would overflow, and it is full by then anyway.
    long missing = full - level;
    Duration untilFull = Duration.ofNanos(Math.ceilDiv(missing, rate));
    long flowed = elapsed.compareTo(untilFull) >= 0 ? missing : elapsed.toNanos() * rate;
    level += flowed;
    long strangersOwed = tenants.debt(strangers.all);
    long operatorsOwed = tenants.debt(operators.all);
    tenants.repay(flowed);
    strangers.members.repay(strangersOwed - tenants.debt(strangers.all));
    operators.members.repay(operatorsOwed - tenants.debt(operators.all));
  }

  int known() {
    return tenants.known() + strangers.members.known() + operators.members.known();
  }
}
