package dev.ron.rewarder.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.Seeds;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

final class CalculusTest {
  /** Ten times this many epochs are run. */
  private static final int SEEDS = 10_000;

  @Test
  void aSimpleImplementationAgreesOnAHundredThousandEpochs() {
    var kinds = new int[4];
    Seeds.forEach(
        SEEDS,
        (_, random) -> {
          for (int i = 0; i < 10; i++) {
            kinds[agrees(random)]++;
          }
        });
    if (Long.getLong("ron.seed") == null) {
      assertThat(kinds[1]).as("epochs with held actors").isGreaterThan(SEEDS / 100);
      assertThat(kinds[2]).as("epochs at the limits").isGreaterThan(SEEDS / 100);
      assertThat(kinds[3]).as("epochs past the limits").isGreaterThan(SEEDS / 100);
      assertThat(kinds[0] + kinds[1] + kinds[2] + kinds[3]).isEqualTo(100_000);
    }
  }

  private static int agrees(RandomGenerator random) {
    Policy policy = Epochs.policy(random);
    Wide pool = Epochs.pool(random);
    List<SimpleEpoch.Line> lines = Epochs.lines(random);
    Epochs.Result result = Epochs.run(Calculus.EXACT, policy, pool, lines);
    var simple = new SimpleEpoch(policy, WideTest.big(pool), lines);
    if (simple.scoreTotal.bitLength() > 127) {
      assertThat(result.outcome).isInstanceOf(Calculus.Outcome.Quarantined.class);
      return 3;
    }
    assertThat(new ArrayList<>(result.amounts.entrySet()))
        .isEqualTo(new ArrayList<>(simple.amounts.entrySet()));
    assertThat(new ArrayList<>(result.held.entrySet()))
        .isEqualTo(new ArrayList<>(simple.held.entrySet()));
    Totals totals = result.totals();
    assertThat(WideTest.big(totals.residual().sum())).isEqualTo(simple.residual);
    conserves(totals, result);
    return pool.equals(Wide.MAX) ? 2 : result.held.isEmpty() ? 0 : 1;
  }

  private static void conserves(Totals totals, Epochs.Result result) {
    BigInteger sum = WideTest.big(totals.residual().sum());
    for (BigInteger each : result.amounts.values()) {
      assertThat(each.signum()).isNotNegative();
      sum = sum.add(each);
    }
    for (BigInteger each : result.held.values()) {
      sum = sum.add(each);
    }
    assertThat(sum).isEqualTo(WideTest.big(totals.pool()));
    assertThat(totals.conserves()).isTrue();
    assertThat(totals.delta()).isEqualTo("0");
  }

  @Test
  void theOrderOfLinesChangesNothing() {
    Seeds.forEach(
        500,
        (seed, random) -> {
          Policy policy = Epochs.policy(random);
          Wide pool = Epochs.pool(random);
          var lines = new ArrayList<>(Epochs.lines(random));
          Epochs.Result one = Epochs.run(Calculus.EXACT, policy, pool, lines);
          Collections.shuffle(lines, new Random(seed));
          Epochs.Result other = Epochs.run(Calculus.EXACT, policy, pool, lines);
          assertThat(other.amounts).isEqualTo(one.amounts);
          assertThat(other.held).isEqualTo(one.held);
          assertThat(other.outcome).isEqualTo(one.outcome);
        });
  }

  @Test
  void aPoolIsSharedOutByHand() {
    Policy floor = policy(Rounding.FLOOR, "0", null);
    Policy largest = policy(Rounding.LARGEST_REMAINDER, "0", null);
    List<SimpleEpoch.Line> thirds = List.of(line("a", 1), line("b", 1), line("c", 1));
    shares("100", floor, thirds, "{a=33, b=33, c=33}", "1");
    shares("100", largest, thirds, "{a=34, b=33, c=33}", "0");
    shares("101", largest, thirds, "{a=34, b=34, c=33}", "0");
    shares("0", largest, thirds, "{a=0, b=0, c=0}", "0");
    shares("100", floor, List.of(), "{}", "100");
    shares("100", floor, List.of(line("a", 0)), "{a=0}", "100");
    List<SimpleEpoch.Line> uneven = List.of(line("a", 1), line("b", 10), line("c", 89));
    shares("100", policy(Rounding.FLOOR, "5", null), uneven, "{a=0, b=10, c=89}", "1");
    shares("100", policy(Rounding.FLOOR, "0", "50"), uneven, "{a=1, b=10, c=50}", "39");
  }

  private static void shares(
      String pool, Policy policy, List<SimpleEpoch.Line> lines, String amounts, String residual) {
    Epochs.Result result =
        Epochs.run(Calculus.EXACT, policy, Wide.parse(pool).orElseThrow(), lines);
    assertThat(result.amounts).hasToString(amounts);
    assertThat(result.totals().residual().sum()).hasToString(residual);
  }

  @Test
  void roundingThatIsBrokenIsCaught() {
    Calculus up =
        new Calculus(
            (budget, score, total) -> {
              Wide.Division exact = budget.timesDividedBy(score, total);
              return exact.remainder().isZero()
                  ? exact
                  : new Wide.Division(exact.quotient().plus(Wide.ONE), Wide.ZERO);
            });
    Calculus short1 =
        new Calculus(
            (budget, score, total) -> {
              Wide.Division exact = budget.timesDividedBy(score, total);
              return exact.quotient().isZero()
                  ? exact
                  : new Wide.Division(exact.quotient().minus(Wide.ONE), exact.remainder());
            });
    List<SimpleEpoch.Line> thirds = List.of(line("a", 1), line("b", 1), line("c", 1));
    for (Rounding rounding : Rounding.values()) {
      for (Calculus broken : List.of(up, short1)) {
        Epochs.Result result =
            Epochs.run(broken, policy(rounding, "0", null), Wide.of(100), thirds);
        assertThat(result.outcome)
            .as("%s", rounding)
            .isInstanceOfSatisfying(
                Calculus.Outcome.Quarantined.class,
                it ->
                    assertThat(it.quarantine().reason()).isEqualTo(Quarantine.Reason.CONSERVATION));
      }
    }
  }

  @Test
  void scoresPastTheLimitQuarantineTheRun() {
    String most = BigInteger.TWO.pow(96).subtract(BigInteger.ONE).toString();
    var lines = new ArrayList<SimpleEpoch.Line>();
    Policy heavy =
        new Policy(
            "p",
            1,
            Map.of("m", Policy.WEIGHT_MAX),
            Rounding.FLOOR,
            Wide.ZERO,
            Optional.empty(),
            Optional.empty(),
            true,
            List.of());
    lines.add(new SimpleEpoch.Line("a", "m", most));
    assertThat(Epochs.run(Calculus.EXACT, heavy, Wide.of(7), lines).totals().paid())
        .isEqualTo(Wide.of(7));
    lines.add(new SimpleEpoch.Line("b", "m", most));
    lines.add(new SimpleEpoch.Line("c", "m", most));
    assertThat(Epochs.run(Calculus.EXACT, heavy, Wide.of(7), lines).outcome)
        .isInstanceOfSatisfying(
            Calculus.Outcome.Quarantined.class,
            it -> assertThat(it.quarantine().reason()).isEqualTo(Quarantine.Reason.SCORE_OVERFLOW));
  }

  private static SimpleEpoch.Line line(String actor, long units) {
    return new SimpleEpoch.Line(actor, "m", Long.toString(units));
  }

  private static Policy policy(Rounding rounding, String minimum, String cap) {
    return new Policy(
        "p",
        1,
        Map.of("m", 1_000_000L),
        rounding,
        Wide.parse(minimum).orElseThrow(),
        Optional.ofNullable(cap).flatMap(Wide::parse),
        Optional.empty(),
        false,
        List.of());
  }
}
