package dev.ron.kernel.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.fault.KernelFault.BreakerOpen;
import dev.ron.kernel.time.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
  private final VirtualTime time = new VirtualTime();
  private final CircuitBreaker breaker =
      new CircuitBreaker("ledger", time, 3, Duration.ofSeconds(1), Duration.ofSeconds(5));

  @Test
  void failuresInARowOpenItAndASuccessBetweenDoesNot() {
    breaker.failed();
    breaker.failed();
    breaker.succeeded();
    breaker.failed();
    breaker.failed();
    assertThat(breaker.refusal()).isEmpty();
    breaker.failed();
    assertThat(breaker.refusal()).contains(new BreakerOpen("ledger", Duration.ofSeconds(1)));
  }

  @Test
  void afterItsRestOneCallProbesAndTheOthersAreRefused() {
    open();
    time.advance(Duration.ofSeconds(1));
    assertThat(breaker.refusal()).isEmpty();
    assertThat(breaker.refusal()).isPresent();
    breaker.succeeded();
    assertThat(breaker.refusal()).isEmpty();
    assertThat(breaker.open()).isFalse();
  }

  @Test
  void eachFailedProbeDoublesTheRestUpToTheCap() {
    open();
    for (long rest : new long[] {1, 2, 4, 5, 5}) {
      assertThat(breaker.refusal()).contains(new BreakerOpen("ledger", Duration.ofSeconds(rest)));
      time.advance(Duration.ofSeconds(rest));
      assertThat(breaker.refusal()).isEmpty();
      breaker.failed();
    }
  }

  @Test
  void aProbeThatNeverReportsIsGivenUp() {
    open();
    time.advance(Duration.ofSeconds(1));
    assertThat(breaker.refusal()).isEmpty();
    time.advance(Duration.ofSeconds(1));
    assertThat(breaker.refusal()).isEmpty();
  }

  @Test
  void aLateSuccessOfAnOldCallDoesNotCloseIt() {
    open();
    breaker.succeeded();
    assertThat(breaker.refusal()).isPresent();
  }

  private void open() {
    for (int i = 0; i < 3; i++) {
      breaker.failed();
    }
  }
}
