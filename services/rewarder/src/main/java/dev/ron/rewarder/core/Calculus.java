package dev.ron.rewarder.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Shares a pool out by score: {@code amount = pool * score / total}, to the last unit.
 *
 * <p>Pure: it goes through the actors a few times and keeps sums only, so that ten million of them
 * take no more memory than ten.
 *
 * <p>Threading: immutable.
 *
 * @param division how a budget is divided; a test hands in one that rounds up
 */
public record Calculus(Share division) {
  public static final Calculus EXACT = new Calculus(Wide::timesDividedBy);

  /** An actor's part of a budget. */
  @FunctionalInterface
  public interface Share {
    Wide.Division of(Wide budget, Wide score, Wide total);
  }

  /** The result of a run. */
  public sealed interface Outcome {
    record Closed(Totals totals) implements Outcome {}

    record Quarantined(Quarantine quarantine) implements Outcome {}
  }

  /** One pool while it is shared out. */
  private record Part(Wide budget, Wide total, RemainderThreshold threshold) {}

  public Outcome run(
      Policy policy, LedgerInput ledger, ScoreCursor.Source scores, AllocationSink sink) {
    Wide[] totals;
    long actors;
    try (ScoreCursor cursor = scores.open()) {
      if (scores.overflowed()) {
        throw new ArithmeticException("an actor's score");
      }
      totals = zeros(policy);
      actors = sum(cursor, totals);
    } catch (ArithmeticException _) {
      return new Outcome.Quarantined(
          new Quarantine(
              Quarantine.Reason.SCORE_OVERFLOW, "the scores are not below 2^127 together"));
    }
    Totals result = allocate(policy, ledger, scores, sink, totals, actors);
    return result.conserves() && roundsAsItShould(policy, result)
        ? new Outcome.Closed(result)
        : new Outcome.Quarantined(
            new Quarantine(
                Quarantine.Reason.CONSERVATION,
                "paid %s, held %s and residual %s (rounding %s) differ from the pool of %s by %s"
                    .formatted(
                        result.paid(),
                        result.held(),
                        result.residual().sum(),
                        result.residual().rounding(),
                        result.pool(),
                        result.delta())));
  }

  /** A floor costs each actor less than a unit of each pool; the largest remainders leave none. */
  private static boolean roundsAsItShould(Policy policy, Totals totals) {
    Wide lost = totals.residual().rounding();
    return switch (policy.rounding()) {
      case FLOOR ->
          lost.isZero()
              || lost.compareTo(Wide.of(totals.actors()).times(policy.pools().size())) < 0;
      case LARGEST_REMAINDER -> lost.isZero();
    };
  }

  private static Wide[] zeros(Policy policy) {
    Wide[] zeros = new Wide[policy.pools().size()];
    Arrays.fill(zeros, Wide.ZERO);
    return zeros;
  }

  private static long sum(ScoreCursor cursor, Wide[] totals) {
    long actors = 0;
    while (cursor.next()) {
      actors++;
      for (int i = 0; i < totals.length; i++) {
        totals[i] = totals[i].plus(cursor.score(i));
      }
    }
    Wide all = Wide.ZERO;
    for (Wide total : totals) {
      all = all.plus(total);
    }
    return actors;
  }

  private Totals allocate(
      Policy policy,
      LedgerInput ledger,
      ScoreCursor.Source scores,
      AllocationSink sink,
      Wide[] totals,
      long actors) {
    List<Wide> budgets = policy.budgets(ledger.pool());
    Wide shared = Wide.ZERO;
    var parts = new ArrayList<Part>();
    Residual residual = Residual.NONE;
    for (int i = 0; i < totals.length; i++) {
      Wide budget = budgets.get(i);
      shared = shared.plus(budget);
      residual = totals[i].isZero() ? residual.unscored(budget) : residual;
      parts.add(
          new Part(budget, totals[i], threshold(policy, scores, i, budget, totals[i], actors)));
    }
    residual = residual.abovePoolCap(ledger.pool().minus(shared));
    var pass = new AllocationPass(policy, sink, residual);
    try (ScoreCursor cursor = scores.open()) {
      while (cursor.next()) {
        Wide amount = Wide.ZERO;
        for (int i = 0; i < parts.size(); i++) {
          amount = amount.plus(amount(i, parts.get(i), cursor.score(i), pass));
        }
        pass.give(cursor, amount);
      }
    }
    for (int i = 0; i < parts.size(); i++) {
      if (!parts.get(i).total().isZero()) {
        pass.divided(i, parts.get(i).budget());
      }
    }
    return pass.totals(ledger.pool(), List.of(totals), actors);
  }

  private Wide amount(int pool, Part part, Wide score, AllocationPass pass) {
    if (part.total().isZero()) {
      return Wide.ZERO;
    }
    Wide.Division share = division.of(part.budget(), score, part.total());
    Wide amount =
        part.threshold().takes(share.remainder())
            ? share.quotient().plus(Wide.ONE)
            : share.quotient();
    pass.portion(pool, amount);
    return amount;
  }

  /** Which actors get one of the units that the division leaves over. */
  private RemainderThreshold threshold(
      Policy policy, ScoreCursor.Source scores, int pool, Wide budget, Wide total, long actors) {
    if (policy.rounding() == Rounding.FLOOR || total.isZero()) {
      return RemainderThreshold.nobody();
    }
    Wide left = budget;
    try (ScoreCursor cursor = scores.open()) {
      while (cursor.next()) {
        Wide share = division.of(budget, cursor.score(pool), total).quotient();
        left = share.compareTo(left) > 0 ? Wide.ZERO : left.minus(share);
      }
    }
    // Each floor takes less than one unit, so fewer units are left than there are actors.
    long units = left.high() == 0 && left.low() >= 0 ? Math.min(left.low(), actors) : actors;
    return RemainderThreshold.find(
        units, actors, total.bitLength(), visit -> remainders(scores, pool, budget, total, visit));
  }

  private void remainders(
      ScoreCursor.Source scores,
      int pool,
      Wide budget,
      Wide total,
      RemainderThreshold.Visitor visitor) {
    try (ScoreCursor cursor = scores.open()) {
      while (cursor.next()) {
        visitor.visit(division.of(budget, cursor.score(pool), total).remainder());
      }
    }
  }
}
