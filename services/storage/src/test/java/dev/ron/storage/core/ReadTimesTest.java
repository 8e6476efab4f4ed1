package dev.ron.storage.core;

import static dev.ron.storage.core.ReadTimes.Felt.EASE;
import static dev.ron.storage.core.ReadTimes.Felt.IDLE;
import static dev.ron.storage.core.ReadTimes.Felt.TROUBLE;
import static dev.ron.storage.core.ReadTimes.Felt.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ReadTimesTest {
  private final ReadTimes times = new ReadTimes();

  @Test
  void withoutReadsItIsIdle() {
    assertThat(times.step(false)).isEqualTo(IDLE);
    assertThat(times.step(true)).isEqualTo(IDLE);
  }

  @Test
  void whatReadsTakeIsLearntOnlyWhileNothingMoves() {
    assertThat(step(40, 2000, true)).isEqualTo(UNKNOWN);
    assertThat(step(40, 2000, false)).as("what moved last may be felt yet").isEqualTo(UNKNOWN);
    assertThat(step(40, 2000, false)).isEqualTo(EASE);
    assertThat(times.calmNanos()).isEqualTo(micros(2000));
  }

  @Test
  void aRepairThatNeverPausesIsMeasuredByManyReads() {
    for (int i = 0; i < 4; i++) {
      assertThat(step(40, 2000, true)).isEqualTo(UNKNOWN);
    }
    assertThat(step(40, 2000, true)).isEqualTo(EASE);
    assertThat(step(40, 9000, true)).isEqualTo(TROUBLE);
  }

  @Test
  void aFewReadsSayNothingAboutTheSlowestHundredth() {
    assertThat(step(19, 2000, false)).isEqualTo(UNKNOWN);
    assertThat(step(1, 2000, false)).isEqualTo(EASE);
  }

  @Test
  void oneSlowReadInAHundredIsChanceAndFiveAreTrouble() {
    calm();
    add(99, 2000);
    assertThat(step(1, 9000, true)).isEqualTo(EASE);
    add(95, 2000);
    assertThat(step(5, 9000, true)).isEqualTo(TROUBLE);
  }

  @Test
  void slowIsAQuarterMoreThanUsualAndMoreThanAReaderWouldNotice() {
    calm();
    assertThat(step(40, 2500, true)).isEqualTo(EASE);
    assertThat(step(40, 2501, true)).isEqualTo(TROUBLE);
    var quick = new ReadTimes();
    for (int i = 0; i < 40; i++) {
      quick.add(micros(50));
    }
    quick.step(false);
    for (int i = 0; i < 40; i++) {
      quick.add(ReadTimes.UNNOTICED.toNanos());
    }
    assertThat(quick.step(true)).as("twenty times slower and still quick").isEqualTo(EASE);
  }

  @Test
  void troubleIsForgottenSoonAndReadersToo() {
    calm();
    assertThat(step(40, 9000, true)).isEqualTo(TROUBLE);
    int steps = 0;
    while (step(40, 2000, true) == TROUBLE) {
      steps++;
    }
    assertThat(steps).isBetween(5, 20);
    steps = 0;
    while (times.step(true) != IDLE) {
      steps++;
    }
    assertThat(steps).isBetween(5, 30);
  }

  @Test
  void troubleThatLessRepairDoesNotEndBecomesTheNewNormal() {
    calm();
    int steps = 0;
    while (step(40, 5000, true) == TROUBLE) {
      steps++;
    }
    assertThat(steps).isBetween(100, 1000);
  }

  @Test
  void aFloodOfReadsCostsNoMoreThanItsSlowShare() {
    calm();
    add(9000, 2000);
    assertThat(step(1000, 2000, true)).isEqualTo(EASE);
    assertThat(step(10_000, 9000, true)).isEqualTo(TROUBLE);
  }

  private void calm() {
    step(100, 2000, false);
  }

  private void add(int reads, long micros) {
    for (int i = 0; i < reads; i++) {
      times.add(micros(micros));
    }
  }

  private ReadTimes.Felt step(int reads, long micros, boolean moved) {
    add(reads, micros);
    return times.step(moved);
  }

  private static long micros(long micros) {
    return Duration.ofNanos(micros * 1000).toNanos();
  }
}
