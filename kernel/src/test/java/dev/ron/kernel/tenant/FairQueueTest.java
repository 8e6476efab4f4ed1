package dev.ron.kernel.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FairQueueTest {
  private final Map<String, Integer> weights = new HashMap<>();
  private final FairQueue<String> queue = new FairQueue<>(t -> weights.getOrDefault(t, 1));

  private String order(int count) {
    var order = new StringBuilder();
    for (int i = 0; i < count; i++) {
      order.append(queue.poll());
    }
    return order.toString();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "'one tenant is a plain queue',           'a1 a2 a3',                   a1a2a3",
    "'two tenants take turns',                'a1 a2 a3 b1 b2 b3',          a1b1a2b2a3b3",
    "'weight two goes twice in between',      'c1 c2 c3 c4 a1 a2',          a1c1c2a2c3c4",
    "'one that comes late waits for one',     'a1 a2 a3 a4 a5 a6 b1',       a1b1a2a3a4a5a6",
  })
  void turns(String what, String added, String order) {
    weights.put("c", 2);
    List<String> items = List.of(added.split(" ", -1));
    items.forEach(item -> queue.add(item.substring(0, 1), 1, item));
    assertThat(order(items.size())).as(what).isEqualTo(order);
    assertThat(queue.poll()).isNull();
  }

  @Test
  void oneThatLeftAndComesBackStartsWhereItEnded() {
    queue.add("a", 10, "a1");
    queue.add("b", 1, "b1");
    queue.add("b", 1, "b2");
    assertThat(order(1)).isEqualTo("a1");
    queue.add("a", 10, "a2"); // its ten are not paid yet
    assertThat(order(3)).isEqualTo("b1b2a2");
  }

  @Test
  void anIdleTenantSavesNothingUp() {
    for (int i = 0; i < 100; i++) {
      queue.add("a", 1, "a");
      queue.poll();
    }
    for (int i = 0; i < 4; i++) {
      queue.add("a", 1, "a");
      queue.add("b", 1, "b");
    }
    assertThat(order(8)).isIn("babababa", "abababab");
  }

  @Test
  void oneThatIsGoneIsNotCharged() {
    queue.add("a", 1, "gone");
    queue.add("a", 1, "a1");
    queue.add("b", 1, "b1");
    assertThat(queue.poll(item -> !item.equals("gone"))).isEqualTo("a1");
    assertThat(order(1)).isEqualTo("b1");
    assertThat(queue.size()).isZero();
  }

  @Test
  void oneThatIsTakenOutCostsNothing() {
    queue.add("a", 1, "a1");
    queue.add("a", 1, "a2");
    queue.add("b", 1, "b1");
    assertThat(queue.remove("a", "a1")).isTrue();
    assertThat(queue.remove("a", "a1")).isFalse();
    assertThat(queue.remove("x", "a2")).isFalse();
    assertThat(queue.size()).isEqualTo(2);
    assertThat(order(2)).isEqualTo("a2b1");
  }

  @Test
  void theLongestLineForItsWeightGivesWay() {
    weights.put("c", 4);
    for (int i = 0; i < 4; i++) {
      queue.add("a", 1, "a" + i);
      queue.add("c", 1, "c" + i);
    }
    assertThat(queue.giveWayTo("b")).isEqualTo("a3");
    assertThat(queue.giveWayTo("a")).as("its own is the longest").isNull();
    assertThat(queue.size()).isEqualTo(7);
  }

  /** Weights 1:2:4 under saturation, with costs that differ and tenants that ask alike. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void sharesAreAsTheWeights(long seed) {
    var random = new SplittableRandom(seed);
    Map<String, Integer> given = Map.of("a", 1, "b", 2, "c", 4);
    weights.putAll(given);
    Map<String, Long> served = new HashMap<>();
    for (String tenant : given.keySet()) {
      for (int i = 0; i < 8; i++) {
        add(tenant, random);
      }
    }
    for (int i = 0; i < 20_000; i++) {
      String item = queue.poll();
      String tenant = item.substring(0, 1);
      served.merge(tenant, Long.parseLong(item.substring(1)), Long::sum);
      add(tenant, random);
    }
    long all = served.values().stream().mapToLong(n -> n).sum();
    given.forEach(
        (tenant, weight) ->
            assertThat(served.get(tenant) * 7.0 / all / weight).isCloseTo(1, within(0.01)));
  }

  private void add(String tenant, SplittableRandom random) {
    long cost = random.nextLong(1, 65);
    queue.add(tenant, cost, tenant + cost);
  }

  /**
   * Whatever tenants come and go: one that waits with weight w is passed over by each other tenant
   * v for at most one item, and v's share of what it waited for.
   */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void noTenantStarves(long seed) {
    var random = new SplittableRandom(seed);
    int tenants = 2 + random.nextInt(12);
    for (int i = 0; i < tenants; i++) {
      weights.put("t" + i, 1 + random.nextInt(random.nextBoolean() ? 4 : 1000));
    }
    int all = weights.values().stream().mapToInt(w -> w).sum();
    Map<String, ArrayDeque<Integer>> came = new HashMap<>();
    for (int step = 0; step < 30_000; step++) {
      String tenant = "t" + random.nextInt(tenants);
      if (random.nextInt(4) < 3 && queue.size() < 500) {
        queue.add(tenant, 1, tenant);
        came.computeIfAbsent(tenant, _ -> new ArrayDeque<>()).add(step);
      } else {
        String next = queue.poll();
        if (next != null) {
          came.get(next).remove();
        }
      }
      if (queue.size() == 0) {
        assertThat(came.values()).allMatch(ArrayDeque::isEmpty);
      }
    }
    // Everything that waits goes, and the head of each line within what its weight promises.
    Map<String, Integer> waited = new HashMap<>();
    int polls = 0;
    List<String> left = new ArrayList<>(weights.keySet());
    left.removeIf(tenant -> queue.size(tenant) == 0);
    for (String next; (next = queue.poll()) != null; ) {
      polls++;
      waited.putIfAbsent(next, polls);
    }
    for (String tenant : left) {
      assertThat(waited.get(tenant))
          .isLessThanOrEqualTo(2 * tenants + Math.ceilDiv(all, weights.get(tenant)));
    }
  }

  @Test
  void whatItRemembersOfTenantsThatLeftIsBounded() {
    queue.add("stays", 1, "x");
    for (int i = 0; i < 20_000; i++) {
      queue.add("t" + i, 1, "y");
      queue.poll();
    }
    assertThat(queue.size()).isOne();
  }
}
