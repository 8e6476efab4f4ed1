package dev.ron.rewarder.api;

import dev.ron.http.Refusal;
import dev.ron.rewarder.core.Allocation;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.Policy;
import dev.ron.rewarder.core.Wide;
import dev.ron.rewarder.sign.PolicyForm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Why an actor gets what it gets, in sentences that can be checked by hand.
 *
 * <p>Threading: stateless.
 */
final class Explanation {
  private Explanation() {}

  static List<String> of(Manifest manifest, byte[] policyBytes, Allocation line)
      throws IOException {
    Policy policy;
    try {
      policy = PolicyForm.parse(policyBytes).policy();
    } catch (Refusal damaged) {
      throw new IOException("the policy of the run is damaged: " + damaged.getMessage(), damaged);
    }
    var words = new ArrayList<String>();
    Wide full = Wide.ZERO;
    List<Wide> budgets = policy.budgets(manifest.wide("pool_minor"));
    List<?> pools = manifest.fields().get("pools") instanceof List<?> all ? all : List.of();
    for (int i = 0; i < budgets.size(); i++) {
      Wide total = total(pools.get(i));
      String name = policy.pools().get(i).name();
      if (total.isZero()) {
        words.add("pool %s: nobody has a score".formatted(name));
        continue;
      }
      Wide score = line.scores().get(i);
      Wide.Division share = budgets.get(i).timesDividedBy(score, total);
      full = full.plus(share.quotient());
      words.add(
          "pool %s: %s x %s / %s = %s, remainder %s"
              .formatted(name, budgets.get(i), score, total, share.quotient(), share.remainder()));
    }
    limits(policy, full, line, words);
    return words;
  }

  private static void limits(Policy policy, Wide full, Allocation line, List<String> words) {
    Wide amount = line.amount();
    if (amount.compareTo(full) > 0) {
      words.add("rounding %s: %s more".formatted(policy.rounding().word(), amount.minus(full)));
    } else if (amount.isZero() && full.compareTo(Wide.ZERO) > 0) {
      words.add("less than the minimum of %s: not paid".formatted(policy.minPayout()));
    } else if (amount.compareTo(full) < 0) {
      words.add(
          "cut to the cap of %s".formatted(policy.actorCap().map(Wide::toString).orElse("0")));
    }
    words.add((line.badLines() == 0 ? "pays " : "held is ") + amount);
  }

  private static Wide total(Object pool) {
    return pool instanceof Map<?, ?> fields
        ? Wide.parse(String.valueOf(fields.get("score_total"))).orElse(Wide.ZERO)
        : Wide.ZERO;
  }
}
