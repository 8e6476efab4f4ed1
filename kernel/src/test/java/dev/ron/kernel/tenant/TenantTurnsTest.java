package dev.ron.kernel.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whose request begins next: by weight, a few at a time, and never held up by one that waits. */
final class TenantTurnsTest {
  private static final Map<String, Integer> WEIGHTS = Map.of("one", 1, "two", 2, "four", 4);

  private final List<String> begun = new ArrayList<>();
  private final Map<String, TenantTurns.Turn> held = new HashMap<>();

  private TenantTurns turns(int places) {
    return new TenantTurns(places, tenant -> WEIGHTS.getOrDefault(tenant, 1));
  }

  private TenantTurns.Turn take(TenantTurns turns, String tenant, String name) {
    return turns.take(
        tenant,
        turn -> {
          begun.add(name);
          held.put(name, turn);
        });
  }

  private void end(String name) {
    held.get(name).end();
  }

  @Test
  void aQuietTenantBeginsNextHoweverManyWaitBeforeIt() {
    TenantTurns turns = turns(2);
    for (int i = 0; i < 100; i++) {
      take(turns, "loud", "loud" + i);
    }
    take(turns, "quiet", "quiet");
    assertThat(begun).containsExactly("loud0", "loud1");
    end("loud0");
    end("loud1");
    assertThat(begun).contains("quiet").hasSize(4);
  }

  @Test
  void tenantsThatWaitBeginInProportionToTheirWeights() {
    TenantTurns turns = turns(1);
    take(turns, "x", "x");
    for (int i = 0; i < 700; i++) {
      for (String tenant : WEIGHTS.keySet()) {
        take(turns, tenant, tenant + " " + i);
      }
    }
    for (int i = 0; i < 700; i++) {
      end(begun.getLast());
    }
    for (Map.Entry<String, Integer> each : WEIGHTS.entrySet()) {
      assertThat(begun.stream().filter(name -> name.startsWith(each.getKey() + " ")).count())
          .as(each.getKey())
          .isBetween(100L * each.getValue() - 1, 100L * each.getValue() + 1);
    }
  }

  @Test
  void aTurnEndsOnceAndOneThatLeftTheLineGetsNone() {
    TenantTurns turns = turns(1);
    take(turns, "a", "first");
    TenantTurns.Turn gone = take(turns, "a", "gone");
    take(turns, "a", "second");
    take(turns, "a", "third");
    gone.end();
    end("first");
    end("first");
    assertThat(begun).containsExactly("first", "second");
  }

  @Test
  void aTurnThatDoesNotEndIsTakenForOverByTheSecondSweep() {
    TenantTurns turns = turns(1);
    take(turns, "a", "stuck");
    assertThat(turns.needsSweep()).as("none waits").isFalse();
    TenantTurns.Turn next = take(turns, "b", "next");
    assertThat(next.began()).isFalse();
    assertThat(turns.needsSweep()).isTrue();
    assertThat(turns.needsSweep()).as("by one caller").isFalse();
    assertThat(turns.sweep()).isTrue();
    assertThat(begun).containsExactly("stuck");
    assertThat(turns.sweep()).as("none waits").isFalse();
    assertThat(begun).containsExactly("stuck", "next");
    assertThat(next.began()).isTrue();
    end("stuck");
    take(turns, "a", "last");
    assertThat(begun).as("it gives no place back twice").doesNotContain("last");
    end("next");
    assertThat(begun).endsWith("last");
  }
}
