package dev.ron.usage;

import java.io.IOException;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was used since a time, and what of it cannot be told.
 *
 * <p>Threading: immutable.
 *
 * @param from the beginning of the oldest span that counts; spans are counted whole
 * @param sealed how many of the spans are sealed
 * @param damage what cannot be read, or is not what was sealed; spans in it are not counted
 */
public record UsageReport(
    Instant from,
    Instant to,
    int sealed,
    SortedMap<UsageKey, BigInteger> units,
    List<UsageDamage> damage) {
  public UsageReport {
    units = Collections.unmodifiableSortedMap(new TreeMap<>(units));
    damage = List.copyOf(damage);
  }

  /** Adds up the open span and those before it that end after {@code since}. */
  static UsageReport of(UsageSpan open, UsageFolder folder, Instant since) throws IOException {
    var units = new TreeMap<UsageKey, BigInteger>();
    add(open, units);
    Instant from = open.from();
    int sealed = 0;
    var damage = new ArrayList<UsageDamage>();
    long oldest = folder.spans().isEmpty() ? open.number() : folder.spans().first();
    for (long number = open.number() - 1; number >= oldest; number--) {
      CheckedSpan checked = folder.checked(number);
      Optional<Instant> to = checked.to();
      if (to.isPresent() && !to.get().isAfter(since)) {
        break;
      }
      checked.span().ifPresent(span -> add(span, units));
      from = checked.from().orElse(from);
      sealed += checked.seal().isPresent() ? 1 : 0;
      damage.addAll(checked.damage());
      if (checked.seal().isPresent()) {
        Seal seal = checked.seal().get();
        seal.lost().ifPresent(why -> damage.add(lost(seal, why)));
      }
    }
    return new UsageReport(from, open.to(), sealed, units, damage);
  }

  private static UsageDamage lost(Seal seal, String why) {
    return new UsageDamage(
        seal.number(),
        UsageFolder.sealName(seal.number()),
        "sealed as lost: " + why,
        seal.counts());
  }

  private static void add(UsageSpan span, SortedMap<UsageKey, BigInteger> to) {
    span.units().forEach((key, count) -> to.merge(key, BigInteger.valueOf(count), BigInteger::add));
  }
}
