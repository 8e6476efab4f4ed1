package dev.ron.gateway.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeSet;

/**
 * What each asker has taken beyond what it was repaid; repayments are shared equally by those that
 * owe.
 *
 * <p>An asker that was served last is repaid until it owes nothing. One that was refused last goes
 * on until it has one token saved: among more askers than there are tokens a second, that tells the
 * one that waits from the one that was just served.
 *
 * <p>A limited number is known by name. A newcomer takes the room of the one that has owed nothing
 * for the longest; while all owe, it is put in with others that came too late, into one of {@value
 * #LATE} accounts.
 *
 * <p>Each change costs the logarithm of the number: a repayment is one addition for all that owe,
 * and debts are kept relative to it.
 *
 * <p>Threading: owned by its {@link FairRate}.
 */
final class Debtors {
  /** Amounts are in billionths of a token. */
  static final long ONE = 1_000_000_000L;

  static final int LATE = 64;

  /** Multiplies the bits of a hash into its upper six, which choose one of the 64. */
  private static final int SPREAD = 0x9E3779B9;

  private static final int LATE_SHIFT = 26;

  private static final int FORGIVEN_AFTER = 2;

  /** Far from an overflow, and reached after hours at the highest rate. */
  private static final long REPAID_MAX = 1L << 60;

  private final int max;
  private final int salt;
  private final long debtMax;
  private final Map<String, Debtor> known = new HashMap<>();
  private final List<Debtor> late = new ArrayList<>();
  private final TreeSet<Debtor> owing =
      new TreeSet<>(Comparator.comparingLong(Debtor::doneAt).thenComparingLong(each -> each.id));
  private final SequencedSet<Debtor> resting = new LinkedHashSet<>();
  private long repaid;
  private long change;
  private long ids;

  /** One asker. */
  static final class Debtor {
    private final String name;
    private final long id;

    /** While it owes, the repayment at which it is even; while it rests, its debt. */
    private long even;

    private long goal;
    private boolean owes;

    private Debtor(String name, long id) {
      this.name = name;
      this.id = id;
    }

    private long doneAt() {
      return even - goal;
    }
  }

  /**
   * @param debtMax what one may owe at most: what all are repaid in a second
   * @param salt decides who is put in with whom, so that it cannot be chosen from outside
   */
  Debtors(int max, long debtMax, int salt) {
    this.max = max;
    this.debtMax = debtMax;
    this.salt = salt;
    for (int i = 0; i < LATE; i++) {
      late.add(unnamed());
    }
  }

  /** An account that is never given up. */
  Debtor unnamed() {
    return new Debtor("", ids++);
  }

  Debtor of(String name) {
    Debtor debtor = known.get(name);
    if (debtor != null) {
      forgive(debtor);
      return debtor;
    }
    if (known.size() >= max) {
      if (resting.isEmpty()) {
        return late.get(((name.hashCode() ^ salt) * SPREAD) >>> LATE_SHIFT);
      }
      known.remove(resting.removeFirst().name);
    }
    var made = new Debtor(name, ids++);
    known.put(name, made);
    resting.add(made);
    return made;
  }

  /**
   * Lets it owe no more than is repaid in two seconds. What it took while there were fewer askers
   * was its due then, and would keep it waiting for long now.
   */
  void forgive(Debtor debtor) {
    long most = 2 * ONE + FORGIVEN_AFTER * (debtMax / Math.max(1, owing.size()));
    if (debt(debtor) > most) {
      set(debtor, most, debtor.goal);
    }
  }

  /** What it owes; negative for what it has saved. */
  long debt(Debtor debtor) {
    return debtor.owes ? debtor.even - repaid : debtor.even;
  }

  void took(Debtor debtor) {
    set(debtor, Math.min(debtMax, debt(debtor) + ONE), 0);
  }

  void refused(Debtor debtor) {
    if (debtor.goal == 0) {
      set(debtor, debt(debtor), -ONE);
    }
  }

  /** What was taken was not used. */
  void gaveBack(Debtor debtor) {
    set(debtor, Math.max(-ONE, debt(debtor) - ONE), debtor.goal);
  }

  private void set(Debtor debtor, long debt, long goal) {
    if (debtor.owes) {
      owing.remove(debtor);
    } else {
      resting.remove(debtor);
    }
    debtor.goal = goal;
    debtor.owes = debt > goal;
    debtor.even = debtor.owes ? repaid + debt : debt;
    if (debtor.owes) {
      owing.add(debtor);
    } else if (!debtor.name.isEmpty()) {
      resting.add(debtor);
    }
  }

  /** Repays those that owe, in equal parts; if none does, it is not kept for later. */
  void repay(long amount) {
    long left = change + amount;
    while (!owing.isEmpty() && left >= owing.size()) {
      long each = Math.min(left / owing.size(), owing.first().doneAt() - repaid);
      left -= each * owing.size();
      repaid += each;
      while (!owing.isEmpty() && owing.first().doneAt() <= repaid) {
        Debtor done = owing.first();
        set(done, debt(done), done.goal);
      }
    }
    change = owing.isEmpty() ? 0 : left;
    if (repaid > REPAID_MAX) {
      owing.forEach(each -> each.even -= repaid); // all alike, so the order stays
      repaid = 0;
    }
  }

  /** How many share a repayment. */
  int owing() {
    return owing.size();
  }

  int known() {
    return known.size();
  }
}
