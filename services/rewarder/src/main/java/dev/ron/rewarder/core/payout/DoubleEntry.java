package dev.ron.rewarder.core.payout;

import dev.ron.capability.caveat.Owner;
import dev.ron.rewarder.core.Wide;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The embedded ledger: every amount leaves one account and comes to another, once for each key.
 *
 * <p>An epoch's pool is credited from the asset's issuance when its first intent comes; each intent
 * moves its amount from the pool to the actor. What is left in the pool is what the epoch did not
 * pay.
 *
 * <p>{@link #decide} reads and answers what would be new; {@link #apply} writes. So the journal
 * gets it first, and a recovery is {@code apply} in a loop.
 *
 * <p>Threading: owned by the emitter; readers go through its lock.
 */
public final class DoubleEntry {
  /** Lines of a run are bits of its set of keys. */
  private static final long LINES_MAX = Integer.MAX_VALUE;

  private final int accountsMax;
  private final Map<String, Account> accounts = new HashMap<>();
  private final Map<String, BitSet> settled = new TreeMap<>();

  /**
   * Of which run the intents are, and what the run may pay.
   *
   * @param asset with the mark of its owner: what a tenant issues is no other's
   */
  public record Book(String runKey, String epoch, String asset, Wide pool) {
    String issuance() {
      return "issuance:" + asset;
    }

    public String poolAccount() {
      return "pool:" + asset + ":" + epoch;
    }

    String holder(String actor) {
      return "actor:" + asset + ":" + actor;
    }
  }

  /** Intents of one run that are new, in order; one record of the journal. */
  public record Posting(Book book, List<Intent> intents) {
    public Posting {
      intents = List.copyOf(intents);
    }
  }

  /** What the ledger would do with intents. */
  public sealed interface Decision {
    /** Those that are new; the others are duplicates. */
    record Post(Posting posting, int duplicates) implements Decision {}

    record Refuse(String why) implements Decision {}
  }

  public DoubleEntry(int accountsMax) {
    this.accountsMax = accountsMax;
  }

  public Decision decide(Book book, List<Intent> intents) {
    BitSet known = settled.getOrDefault(book.runKey(), new BitSet());
    var fresh = new ArrayList<Intent>();
    var lines = new HashSet<Long>();
    var names = new HashSet<String>();
    Wide sum = Wide.ZERO;
    for (Intent intent : intents) {
      if (intent.line() < 1 || intent.line() >= LINES_MAX) {
        return new Decision.Refuse("line " + intent.line() + " is out of range");
      }
      if (!known.get((int) intent.line()) && lines.add(intent.line())) {
        fresh.add(intent);
        sum = sum.plus(intent.amount());
        names.add(book.holder(intent.actor()));
      }
    }
    Wide left =
        settled.containsKey(book.runKey())
            ? left(accounts.getOrDefault(book.poolAccount(), Account.EMPTY))
            : book.pool();
    if (sum.compareTo(left) > 0) {
      return new Decision.Refuse("the pool has %s left, %s are asked for".formatted(left, sum));
    }
    names.removeIf(accounts::containsKey);
    if (accounts.size() + names.size() + 2L > accountsMax) {
      return new Decision.Refuse("more than " + accountsMax + " accounts");
    }
    return new Decision.Post(new Posting(book, fresh), intents.size() - fresh.size());
  }

  private static Wide left(Account pool) {
    return pool.credits().minus(pool.debits());
  }

  public void apply(Posting posting) {
    Book book = posting.book();
    BitSet known = settled.get(book.runKey());
    if (known == null) {
      known = new BitSet();
      settled.put(book.runKey(), known);
      move(book.issuance(), book.poolAccount(), book.pool());
    }
    for (Intent intent : posting.intents()) {
      if (known.get((int) intent.line())) {
        throw new IllegalStateException("paid twice: " + intent.key());
      }
      known.set((int) intent.line());
      move(book.poolAccount(), book.holder(intent.actor()), intent.amount());
    }
  }

  private void move(String from, String to, Wide amount) {
    accounts.put(from, accounts.getOrDefault(from, Account.EMPTY).debited(amount));
    accounts.put(to, accounts.getOrDefault(to, Account.EMPTY).credited(amount));
  }

  public Optional<Account> account(String name) {
    return Optional.ofNullable(accounts.get(name));
  }

  /** How many intents of a run were paid. */
  public int settled(String runKey) {
    return settled.getOrDefault(runKey, new BitSet()).cardinality();
  }

  /** How many accounts there are, and all that came to them and left them. */
  public record Sums(int accounts, Account all) {}

  /**
   * All credits and all debits of what a caller owns; a ledger whose two sums differ has lost or
   * made money, and so has each owner's part of it.
   */
  public Sums sums(Owner caller) {
    Account sums = Account.EMPTY;
    int count = 0;
    for (Map.Entry<String, Account> entry : accounts.entrySet()) {
      if (caller.owns(asset(entry.getKey()))) {
        Account each = entry.getValue();
        sums = new Account(sums.credits().plus(each.credits()), sums.debits().plus(each.debits()));
        count++;
      }
    }
    return new Sums(count, sums);
  }

  /** The name that an account is kept under: its owner stands before the asset. */
  public static Optional<String> kept(Owner caller, String said) {
    String asset = asset(said);
    String kind = said.substring(0, said.length() - asset.length());
    return caller.kept(asset).map(kind::concat);
  }

  /** What follows the kind of an account: the asset, and what is behind it. */
  private static String asset(String account) {
    return account.substring(account.indexOf(':') + 1);
  }

  /** For a snapshot. */
  public Map<String, Account> accounts() {
    return new TreeMap<>(accounts);
  }

  /** For a snapshot: the settled lines of each run. */
  public Map<String, long[]> settledLines() {
    var lines = new LinkedHashMap<String, long[]>();
    settled.forEach((run, set) -> lines.put(run, set.toLongArray()));
    return lines;
  }

  /** From a snapshot. */
  public void restore(String account, Account value) {
    accounts.put(account, value);
  }

  /** From a snapshot. */
  public void restoreSettled(String runKey, long[] lines) {
    settled.put(runKey, BitSet.valueOf(lines));
  }
}
