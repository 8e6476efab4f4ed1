package dev.ron.gateway.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ron.testkit.SeedRow;
import dev.ron.testkit.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DeficitRoundRobinTest {
  private static final Quanta EQUAL = new Quanta(1, Map.of());

  /** Lines as "tenant:cost,cost"; the answer is the order they are served in. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # lines                  | quanta     | served
          a:1,1,1                  |            | aaa
          a:1,1,1 b:1,1            |            | ababa
          a:1,1,1,1,1,1 b:1,1      | a=3        | aaabaaab
          a:2,2 b:1,1,1,1          |            | babbab
          a:3 b:1,1,1,1            |            | bbabb
          a:5,5 b:5,5 c:5,5        |            | abcabc
          a:4,4 b:2,2,2            | a=2,b=2    | babba
          a:100 b:100              | a=1,b=1    | ab
          a:100 b:1                | a=1        | ba
          """)
  void theOrder(String lines, String quanta, String served) {
    var drr = new DeficitRoundRobin<String>(quanta(quanta));
    for (String line : lines.split(" ", -1)) {
      for (String cost : line.substring(2).split(",", -1)) {
        drr.add(line.substring(0, 1), Integer.parseInt(cost), line.substring(0, 1));
      }
    }
    assertThat(order(drr)).isEqualTo(served);
    assertThat(drr.waiting()).isZero();
  }

  /** Passed over, a tenant neither loses its turn nor saves up for it. */
  @Test
  void oneThatMayNotComeNowIsPassedOver() {
    var drr = new DeficitRoundRobin<String>(new Quanta(1, Map.of("a", 3)));
    for (int i = 0; i < 6; i++) {
      drr.add("a", 1, "a");
      drr.add("b", 2, "b");
    }
    assertThat(drr.next(_ -> true)).as("in the middle of its visit").isEqualTo("a");
    for (int i = 0; i < 3; i++) {
      assertThat(drr.next("b"::equals, _ -> true)).isEqualTo("b");
      assertThat(drr.deficit("a")).isEqualTo(2);
    }
    assertThat(drr.next(_ -> false, _ -> true)).isNull();
    assertThat(drr.deficit("a")).isEqualTo(2);
    assertThat(order(drr)).isEqualTo("aaaaabbb");
  }

  /**
   * Every sequence of seven arrivals and turns for two tenants with unequal quanta and costs,
   * beside a plain model that walks round by round: the same order, deficits within their bound,
   * and never idle while somebody waits.
   */
  @Test
  void everySmallState() {
    List<String> steps = List.of("a1", "a3", "b1", "b3", "next");
    int length = 7;
    int all = (int) Math.pow(steps.size(), length);
    var quanta = new Quanta(1, Map.of("a", 2));
    for (int code = 0; code < all; code++) {
      var drr = new DeficitRoundRobin<String>(quanta);
      var plain = new PlainRoundRobin(quanta);
      var done = new StringBuilder();
      int rest = code;
      for (int i = 0; i < length; i++) {
        String step = steps.get(rest % steps.size());
        rest /= steps.size();
        done.append(step).append(' ');
        if (step.equals("next")) {
          int waiting = drr.waiting();
          String served = drr.next(_ -> true);
          assertThat(served).as("%s", done).isEqualTo(plain.next());
          assertThat(served == null).as("work conserving: %s", done).isEqualTo(waiting == 0);
        } else {
          String tenant = step.substring(0, 1);
          int cost = step.charAt(1) - '0';
          drr.add(tenant, cost, done.toString());
          plain.add(tenant, cost, done.toString());
        }
        for (String tenant : List.of("a", "b")) {
          assertThat(drr.deficit(tenant))
              .as("deficit of %s after %s", tenant, done)
              .isBetween(0, quanta.of(tenant) + 3 - 1);
        }
      }
    }
  }

  @Test
  void randomStatesAgreeWithThePlainModel() {
    Seeds.forEach(
        500,
        (_, random) -> {
          var quanta = new Quanta(1 + random.nextInt(4), Map.of("t0", 1 + random.nextInt(9)));
          var drr = new DeficitRoundRobin<String>(quanta);
          var plain = new PlainRoundRobin(quanta);
          for (int step = 0; step < 300; step++) {
            if (random.nextInt(3) > 0) {
              String tenant = "t" + random.nextInt(5);
              int cost = 1 + random.nextInt(40);
              drr.add(tenant, cost, tenant + step);
              plain.add(tenant, cost, tenant + step);
            } else {
              assertThat(drr.next(_ -> true)).isEqualTo(plain.next());
            }
          }
        });
  }

  @Test
  @SeedRow("G16")
  void sharesAreInProportionToTheQuanta() {
    var drr = new DeficitRoundRobin<String>(new Quanta(1, Map.of("a", 3)));
    var served = new HashMap<String, Integer>();
    for (int i = 0; i < 40_000; i++) {
      while (drr.waiting("a") < 4) {
        drr.add("a", 1, "a");
      }
      while (drr.waiting("b") < 4) {
        drr.add("b", 1, "b");
      }
      served.merge(String.valueOf(drr.next(_ -> true)), 1, Integer::sum);
    }
    assertThat((double) served.get("a") / served.get("b")).isCloseTo(3, within(0.001));
  }

  @Test
  void oneThatIsGoneIsChargedToNobody() {
    var drr = new DeficitRoundRobin<String>(EQUAL);
    for (String item : List.of("a1", "a2", "a3", "b1", "b2")) {
      drr.add(item.substring(0, 1), 1, item);
    }
    List<String> served = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      served.add(String.valueOf(drr.next(item -> !item.equals("a1"))));
    }
    assertThat(served).containsExactly("a2", "b1", "a3", "b2");
    assertThat(drr.waiting()).isZero();
  }

  @Test
  void theLongestLineGivesUpItsNewest() {
    var drr = new DeficitRoundRobin<String>(EQUAL);
    for (String item : List.of("a1", "b1", "a2", "a3", "b2")) {
      drr.add(item.substring(0, 1), 1, item);
    }
    assertThat(drr.longest()).contains(new DeficitRoundRobin.Longest("a", 3));
    assertThat(drr.dropNewest("a")).isEqualTo("a3");
    drr.dropIf(item -> item.startsWith("b"));
    assertThat(drr.waiting()).isEqualTo(2);
    assertThat(drr.dropNewest("b")).isNull();
    assertThat(drr.next(_ -> true)).isEqualTo("a1");
    assertThat(drr.dropNewest("a")).isEqualTo("a2");
    assertThat(drr.longest()).isEmpty();
  }

  private static Quanta quanta(String text) {
    Map<String, Integer> named = new HashMap<>();
    if (text != null) {
      for (String pair : text.split(",", -1)) {
        named.put(pair.substring(0, 1), Integer.parseInt(pair.substring(2)));
      }
    }
    return new Quanta(1, named);
  }

  private static String order(DeficitRoundRobin<String> drr) {
    var order = new StringBuilder();
    for (String next = drr.next(_ -> true); next != null; next = drr.next(_ -> true)) {
      order.append(next);
    }
    return order.toString();
  }

  /** The textbook, round by round, with no step skipped. */
  private static final class PlainRoundRobin {
    private record Item(int cost, String what) {}

    private final Quanta quanta;
    private final LinkedHashMap<String, ArrayDeque<Item>> lines = new LinkedHashMap<>();
    private final Map<String, Integer> deficit = new HashMap<>();
    private boolean granted;

    PlainRoundRobin(Quanta quanta) {
      this.quanta = quanta;
    }

    void add(String tenant, int cost, String what) {
      if (lines.isEmpty()) {
        granted = false;
      }
      lines.computeIfAbsent(tenant, _ -> new ArrayDeque<>()).add(new Item(cost, what));
    }

    String next() {
      while (!lines.isEmpty()) {
        String tenant = lines.firstEntry().getKey();
        ArrayDeque<Item> line = lines.firstEntry().getValue();
        if (!granted) {
          deficit.merge(tenant, quanta.of(tenant), Integer::sum);
          granted = true;
        }
        if (line.getFirst().cost <= deficit.get(tenant)) {
          Item item = line.remove();
          deficit.merge(tenant, -item.cost, Integer::sum);
          if (line.isEmpty()) {
            lines.remove(tenant);
            deficit.remove(tenant);
            granted = false;
          }
          return item.what;
        }
        lines.putLast(tenant, line);
        granted = false;
      }
      return null;
    }

    @Override
    public String toString() {
      return lines.keySet().stream().collect(Collectors.joining(","));
    }
  }
}
