package dev.ron.storage.cluster.object;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HedgeBudgetTest {
  @Test
  void hedgesAreAShareOfReads() {
    var budget = new HedgeBudget(0.02);
    int hedges = 0;
    for (int i = 0; i < 10_000; i++) {
      budget.read();
      hedges += budget.tryHedge() ? 1 : 0;
    }
    assertThat(hedges).isBetween(190, 200);
    var none = new HedgeBudget(0);
    none.read();
    assertThat(none.tryHedge()).isFalse();
  }
}
