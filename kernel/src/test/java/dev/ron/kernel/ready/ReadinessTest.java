package dev.ron.kernel.ready;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.metric.Metrics;
import org.junit.jupiter.api.Test;

class ReadinessTest {
  private final Metrics metrics = new Metrics();
  private final Readiness readiness = new Readiness(metrics);

  @Test
  void aConditionIsMissingUntilSomebodySaysItIsMet() {
    var journal = readiness.condition("journal");
    assertThat(readiness.ready()).isFalse();
    assertThat(readiness.missing()).containsEntry("journal", "not reached yet");
    journal.met();
    assertThat(readiness.ready()).isTrue();
    journal.missing("the disk is full");
    assertThat(readiness.missing())
        .containsExactly(java.util.Map.entry("journal", "the disk is full"));
  }

  @Test
  void eachMissingConditionIsAMetric() {
    readiness.condition("journal").met();
    readiness.condition("packs").missing("one pack is broken");
    assertThat(metrics.text())
        .contains("readyz_degraded{cause=\"journal\"} 0.0", "readyz_degraded{cause=\"packs\"} 1.0");
  }

  @Test
  void aDerivedConditionIsWorkedOutWhenAsked() {
    var others = new java.util.concurrent.atomic.AtomicReference<>("mailbox is not ready");
    readiness.derived("services", () -> java.util.Optional.ofNullable(others.get()));
    assertThat(readiness.missing()).containsEntry("services", "mailbox is not ready");
    others.set(null);
    assertThat(readiness.ready()).isTrue();
  }

  @Test
  void aConditionHasOneOwnerAndAReason() {
    var condition = readiness.condition("journal");
    assertThatThrownBy(() -> readiness.condition("journal")).hasMessageContaining("journal");
    assertThatThrownBy(() -> condition.missing(" ")).hasMessageContaining("needs a reason");
  }
}
