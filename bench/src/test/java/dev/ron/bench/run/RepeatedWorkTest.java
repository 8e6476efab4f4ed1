package dev.ron.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.bench.process.CpuTime;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RepeatedWorkTest {
  private long sink;
  private long calls;

  @Test
  void theRateIsCallsTimesUnitsPerCpuSecond() throws Exception {
    var work = new RepeatedWork(10, this::busy);
    CpuTime before = CpuTime.own();
    double rate = work.rate(Duration.ofMillis(200));
    double spent = CpuTime.own().minus(before).seconds();
    // The clock is read once more at each end, and other threads of this JVM have their own work.
    assertThat(rate).isBetween(10 * calls / spent * 0.5, 10 * calls / spent * 2);
    assertThat(spent).isGreaterThan(0.1);
  }

  @Test
  void aFailureEndsTheTurn() {
    var work =
        new RepeatedWork(
            1,
            () -> {
              throw new IOException("gone");
            });
    assertThatThrownBy(() -> work.rate(Duration.ofSeconds(1))).hasMessage("gone");
  }

  private void busy() {
    calls++;
    sink += new SplittableRandom(sink).longs(1000).sum();
  }
}
