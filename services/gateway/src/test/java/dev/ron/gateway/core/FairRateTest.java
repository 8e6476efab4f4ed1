package dev.ron.gateway.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A rate is shared in equal parts, none of it is wasted, and none that asks is left out. */
final class FairRateTest {
  private static final Instant START = Instant.EPOCH;

  /**
   * One that asks again and again; a large letter is a tenant, a small one an address, a digit one
   * of the operator's capabilities.
   */
  private static final class Asker {
    private final String name;
    private final double perSecond;
    private double next;
    private int asked;
    private int passed;

    Asker(String name, double perSecond) {
      this.name = name;
      this.perSecond = perSecond;
    }
  }

  private static Duration ask(FairRate rate, String name, Instant now) {
    if (Character.isDigit(name.charAt(0))) {
      return rate.operator(name, now);
    }
    return Character.isUpperCase(name.charAt(0))
        ? rate.tenant(name, now)
        : rate.stranger(name, now);
  }

  /** Lets them ask at random moments, for so many seconds; counts after the first fifth. */
  private static void play(FairRate rate, List<Asker> askers, double seconds, long seed) {
    var random = new SplittableRandom(seed);
    var order = new PriorityQueue<Asker>(Comparator.comparingDouble(asker -> asker.next));
    for (Asker asker : askers) {
      asker.next = random.nextDouble() / asker.perSecond;
      order.add(asker);
    }
    while (order.element().next < seconds) {
      Asker asker = order.remove();
      boolean passed = ask(rate, asker.name, START.plusNanos((long) (asker.next * 1e9))).isZero();
      if (asker.next > seconds / 5) {
        asker.asked++;
        asker.passed += passed ? 1 : 0;
      }
      asker.next += (0.5 + random.nextDouble()) / asker.perSecond;
      order.add(asker);
    }
  }

  private static List<Asker> askers(String table) {
    List<Asker> askers = new ArrayList<>();
    for (String each : table.strip().split(" +", -1)) {
      String[] parts = each.split(":", -1);
      askers.add(new Asker(parts[0], Double.parseDouble(parts[1])));
    }
    return askers;
  }

  /** Who asks how often a second of 100, and what each gets. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # asks a second                  | gets a second
          A:1000                           | 100
          a:1000                           | 100
          A:1000 B:1000                    | 50 50
          A:4000 B:200                    | 50 50
          a:4000 b:200                    | 50 50
          A:1000 b:1000                    | 50 50
          a:4000 B:10                     | 90 10
          A:4000 b:10                     | 90 10
          A:1000 B:1000 C:10               | 45 45 10
          A:4000 B:400 C:30 D:10          | 30 30 30 10
          a:1000 b:1000 C:1000             | 25 25 50
          a:4000 b:300 c:10 D:1000        | 20 20 10 50
          a:4000 b:300 c:10 D:20 E:10     | 30 30 10 20 10
          A:40 B:50                        | 40 50
          1:1000                           | 100
          1:4000 2:200                    | 50 50
          1:1000 2:1000 C:1000             | 25 25 50
          1:4000 2:10 C:1000               | 40 10 50
          1:1000 2:1000 c:1000 d:1000      | 25 25 25 25
          1:4000 c:10 D:10                | 80 10 10
          """)
  void sharesAreMaxMinFair(String asks, String gets) {
    List<Asker> askers = askers(asks);
    play(new FairRate(100, START, 7), askers, 50, 1);
    String[] wanted = gets.strip().split(" ", -1);
    for (int i = 0; i < wanted.length; i++) {
      Asker asker = askers.get(i);
      double share = Double.parseDouble(wanted[i]);
      assertThat(asker.passed / 40.0)
          .as("%s of %s", asker.name, asks)
          .isBetween(share * 0.97, share * 1.03);
      if (asker.perSecond < share * 1.01) {
        assertThat(asker.passed)
            .as("%s asks for less than its part", asker.name)
            .isEqualTo(asker.asked);
      }
    }
  }

  /** Random crowds: within a tenth under saturation, and work conserving. */
  @ParameterizedTest
  @ValueSource(ints = {20, 100, 1000})
  void underSaturationSharesAreWithinATenth(int perSecond) {
    for (long seed = 1; seed <= 8; seed++) {
      var random = new SplittableRandom(seed * 31 + perSecond);
      int count = 2 + random.nextInt(Math.min(30, perSecond / 4));
      boolean tenants = random.nextBoolean();
      double share = perSecond / (double) count;
      List<Asker> askers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        double loudness = Math.pow(random.nextDouble(), 4) * 20 + 2;
        askers.add(new Asker((tenants ? "T" : "a") + i, share * loudness));
      }
      double seconds = 100 / share + 20;
      play(new FairRate(perSecond, START, 7), askers, seconds, seed);
      double counted = seconds * 4 / 5;
      double total = 0;
      for (Asker asker : askers) {
        assertThat(asker.passed / counted)
            .as("%s of %d, rate %d, seed %d", asker.name, count, perSecond, seed)
            .isBetween(share * 0.9, share * 1.1);
        total += asker.passed;
      }
      assertThat(total / counted).as("seed %d", seed).isBetween(perSecond * 0.98, perSecond * 1.02);
    }
  }

  /** A flood of 10,000 addresses, some of them a hundred times as loud as others. */
  @Test
  void amongTenThousandAddressesNoneIsStarvedAndTenantsAreServed() {
    List<Asker> askers = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      askers.add(new Asker("a" + i, i % 100 == 0 ? 20 : 0.2));
    }
    var tenant = new Asker("T", 100);
    askers.add(tenant);
    play(new FairRate(500, START, 7), askers, 300, 1);
    assertThat(tenant.passed).as("the tenant").isEqualTo(tenant.asked);
    double share = 240 * 400 / 10_000.0; // in the 240 s that count, of 400 a second
    for (Asker asker : askers) {
      if (asker != tenant) {
        assertThat((double) asker.passed)
            .as("%s, %s a second", asker.name, asker.perSecond)
            .isBetween(share * 0.9 - 2, share * 1.1 + 2);
      }
    }
  }

  @Test
  void overAnyWindowAtMostTheRateAndOneSecondsWorthPass() {
    var random = new SplittableRandom(5);
    var rate = new FairRate(50, START, 7);
    List<Instant> passes = new ArrayList<>();
    Instant now = START;
    for (int i = 0; i < 50_000; i++) {
      now = now.plusNanos(random.nextLong(random.nextInt(500) == 0 ? 3_000_000_000L : 2_000_000));
      String name = (random.nextBoolean() ? "A" : "a") + random.nextInt(5);
      if (ask(rate, name, now).isZero()) {
        passes.add(now);
      }
    }
    assertThat(passes).hasSizeGreaterThan(2_000);
    for (int from = 0; from < passes.size(); from++) {
      for (int to = from; to < Math.min(passes.size(), from + 200); to++) {
        double seconds = Duration.between(passes.get(from), passes.get(to)).toNanos() / 1e9;
        if (to - from + 1 > 50 + 50 * seconds + 1e-6) {
          throw new AssertionError("%d passed in %s s".formatted(to - from + 1, seconds));
        }
      }
    }
  }

  @Test
  void aNewcomerFindsSomethingLeftByAFlood() {
    for (String flood : List.of("F", "f")) {
      var rate = new FairRate(40, START, 7);
      int burst = 0;
      while (ask(rate, flood, START).isZero()) {
        burst++;
      }
      assertThat(burst).isBetween(20, 30);
      for (int i = 0; i < 10; i++) {
        Instant now = START.plusMillis(100L * i);
        assertThat(ask(rate, "A" + i, now)).as("tenant %d beside %s", i, flood).isZero();
        assertThat(ask(rate, "a" + i, now)).as("address %d beside %s", i, flood).isZero();
        while (ask(rate, flood, now).isZero()) {
          // as much as it can have
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 3"})
  void aSmallRateIsReachedToo(int perSecond, double passes) {
    for (String name : List.of("A", "a")) {
      List<Asker> one = askers(name + ":50");
      play(new FairRate(perSecond, START, 7), one, 100, 3);
      assertThat(one.getFirst().passed / 80.0).isBetween(passes * 0.95, passes * 1.05);
    }
  }

  @Test
  void whatIsGivenBackWasNotTaken() {
    var rate = new FairRate(10, START, 7);
    for (int i = 0; i < 100; i++) {
      assertThat(rate.stranger("a", START)).isZero();
      rate.strangerGaveBack("a", START);
      assertThat(rate.tenant("A", START)).isZero();
      rate.tenantGaveBack("A", START);
    }
  }

  @Test
  void theUseOfWhatOthersLeftIsForgivenWithinASecondOrTwo() {
    var rate = new FairRate(100, START, 7);
    play(rate, askers("A:1000"), 1000, 1);
    Instant later = START.plusSeconds(1000);
    int passed = 0;
    for (int i = 0; i < 4000; i++) {
      Instant now = later.plusMillis(i);
      rate.tenant("B", now);
      passed += rate.tenant("A", now).isZero() && i >= 2000 ? 1 : 0;
    }
    assertThat(passed).isBetween(90, 110);
  }

  /** More names than are kept: some share an account, none is kept out, memory has its bound. */
  @Test
  void moreAddressesThanAreKnownShareAccounts() {
    var rate = new FairRate(100, START, 7, 4, 100);
    List<Asker> askers = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      askers.add(new Asker("a" + i, 1));
    }
    play(rate, askers, 1000, 1);
    assertThat(rate.known()).isLessThanOrEqualTo(104);
    assertThat(askers).allMatch(asker -> asker.passed > 0);
    assertThat(askers.stream().mapToInt(asker -> asker.passed).sum() / 800.0)
        .isBetween(98.0, 102.0);
  }

  @Test
  void whoIsRefusedIsToldToWaitLongerTheMoreAsk() {
    var rate = new FairRate(10, START, 7);
    while (rate.stranger("a", START).isZero()) {
      // until it is used up
    }
    assertThat(rate.stranger("a", START)).isEqualTo(Duration.ofMillis(100));
    for (int i = 0; i < 2000; i++) {
      rate.stranger("b" + i, START);
    }
    assertThat(rate.stranger("a", START)).isEqualTo(Duration.ofMinutes(1));
  }

  /** At the highest rate the sums stay far from an overflow. */
  @Test
  void aDayAtTheHighestRateIsCountedRight() {
    var rate = new FairRate(10_000_000, START, 7);
    for (int second = 0; second < 86_400; second++) {
      Instant now = START.plusSeconds(second);
      assertThat(rate.tenant("A", now)).isZero();
      assertThat(rate.stranger("a", now)).isZero();
    }
    assertThatThrownBy(() -> new FairRate(0, START, 7)).hasMessageContaining("rate = 0");
  }
}
