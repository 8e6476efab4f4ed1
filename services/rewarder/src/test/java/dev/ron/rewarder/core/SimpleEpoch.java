package dev.ron.rewarder.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The calculus once more, as simple as it can be written: BigInteger, maps, sorting. It shares no
 * code with the real one.
 */
final class SimpleEpoch {
  static final Comparator<String> BYTES =
      (a, b) -> Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8));

  final Map<String, BigInteger> amounts = new TreeMap<>(BYTES);
  final Map<String, BigInteger> held = new TreeMap<>(BYTES);
  BigInteger residual = BigInteger.ZERO;
  BigInteger scoreTotal = BigInteger.ZERO;

  record Line(String actor, String metric, String units) {}

  SimpleEpoch(Policy policy, BigInteger pool, List<Line> lines) {
    Map<String, Map<String, BigInteger>> scores = new TreeMap<>(BYTES);
    Map<String, Boolean> bad = new TreeMap<>(BYTES);
    for (Line line : lines) {
      Map<String, BigInteger> of = scores.computeIfAbsent(line.actor(), _ -> new TreeMap<>());
      boolean number = line.units().matches("0|[1-9][0-9]*");
      Long weight = policy.weightsPpm().get(line.metric());
      if (!number || weight == null || new BigInteger(line.units()).bitLength() > 96) {
        bad.put(line.actor(), true);
        continue;
      }
      String poolName = policy.pools().get(policy.poolOf(line.metric())).name();
      of.merge(
          poolName,
          new BigInteger(line.units()).multiply(BigInteger.valueOf(weight)),
          BigInteger::add);
    }
    for (Map<String, BigInteger> each : scores.values()) {
      for (BigInteger score : each.values()) {
        scoreTotal = scoreTotal.add(score);
      }
    }
    BigInteger shared = policy.poolCap().map(cap -> pool.min(WideTest.big(cap))).orElse(pool);
    Map<String, BigInteger> full = new TreeMap<>(BYTES);
    scores.keySet().forEach(actor -> full.put(actor, BigInteger.ZERO));
    for (Policy.Pool each : policy.pools()) {
      BigInteger budget =
          shared
              .multiply(BigInteger.valueOf(each.sharePpm()))
              .divide(BigInteger.valueOf(1_000_000));
      share(policy, each.name(), budget, scores, full);
    }
    full.forEach((actor, amount) -> pay(policy, actor, amount, bad.containsKey(actor)));
    BigInteger given = BigInteger.ZERO;
    for (BigInteger each : amounts.values()) {
      given = given.add(each);
    }
    for (BigInteger each : held.values()) {
      given = given.add(each);
    }
    residual = pool.subtract(given);
  }

  private static void share(
      Policy policy,
      String pool,
      BigInteger budget,
      Map<String, Map<String, BigInteger>> scores,
      Map<String, BigInteger> full) {
    BigInteger total = BigInteger.ZERO;
    for (Map<String, BigInteger> each : scores.values()) {
      total = total.add(each.getOrDefault(pool, BigInteger.ZERO));
    }
    if (total.signum() == 0) {
      return;
    }
    record Rest(String actor, BigInteger remainder) {}
    var rests = new ArrayList<Rest>();
    BigInteger left = budget;
    for (Map.Entry<String, Map<String, BigInteger>> each : scores.entrySet()) {
      BigInteger[] division =
          budget
              .multiply(each.getValue().getOrDefault(pool, BigInteger.ZERO))
              .divideAndRemainder(total);
      full.merge(each.getKey(), division[0], BigInteger::add);
      left = left.subtract(division[0]);
      rests.add(new Rest(each.getKey(), division[1]));
    }
    if (policy.rounding() == Rounding.LARGEST_REMAINDER) {
      rests.sort(
          Comparator.comparing(Rest::remainder).reversed().thenComparing(Rest::actor, BYTES));
      for (int i = 0; i < left.intValueExact(); i++) {
        full.merge(rests.get(i).actor(), BigInteger.ONE, BigInteger::add);
      }
    }
  }

  private void pay(Policy policy, String actor, BigInteger full, boolean isHeld) {
    BigInteger amount =
        full.compareTo(WideTest.big(policy.minPayout())) < 0 ? BigInteger.ZERO : full;
    if (policy.actorCap().isPresent()) {
      amount = amount.min(WideTest.big(policy.actorCap().get()));
    }
    (isHeld ? held : amounts).put(actor, amount);
  }
}
