package dev.ron.kernel.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.SystemTime;
import dev.ron.kernel.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(20)
class TokenBucketTest {
  private final VirtualTime time = new VirtualTime();

  @Test
  void aFullBucketLetsItsBurstThroughAndThenItsRate() {
    var bucket = new TokenBucket(time, 10, 3);
    assertThat(bucket.waitFor(3).isZero()).isTrue();
    assertThat(bucket.waitFor(1)).isEqualTo(Duration.ofMillis(100));
    time.advance(Duration.ofMillis(99));
    assertThat(bucket.waitFor(1).isZero()).isFalse();
    time.advance(Duration.ofMillis(1));
    assertThat(bucket.waitFor(1).isZero()).isTrue();
    assertThat(bucket.waitFor(1).isZero()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"10, 3", "8000000000, 8000000000"})
  void lookingTakesNothing(long rate, long burst) {
    var bucket = new TokenBucket(time, rate, burst);
    assertThat(bucket.untilThere(burst)).isZero();
    assertThat(bucket.waitFor(burst).isZero()).isTrue();
    assertThat(bucket.untilThere(1)).isPositive().isEqualTo(bucket.waitFor(1));
    time.advance(bucket.untilThere(1));
    assertThat(bucket.untilThere(1)).isZero();
    assertThat(bucket.waitFor(1).isZero()).isTrue();
  }

  @ParameterizedTest(name = "{0} tokens a second, bursts of {1}")
  @CsvSource({"1, 1", "500, 500", "3, 7", "52428800, 1048576", "7000000000, 8000000000"})
  void overAnySecondAtMostTheBurstAndTheRatePass(long rate, long burst) {
    var random = new SplittableRandom(rate * 31 + burst);
    var bucket = new TokenBucket(time, rate, burst);
    var taken = new ArrayDeque<Taken>();
    long inWindow = 0;
    for (int i = 0; i < 20_000; i++) {
      time.advance(Duration.ofNanos(random.nextLong(2_000_000_000L / 1000)));
      long wanted = 1 + random.nextLong(burst);
      if (bucket.waitFor(wanted).isZero()) {
        taken.add(new Taken(time.now(), wanted));
        inWindow += wanted;
      }
      while (!taken.isEmpty() && taken.peek().at().plusSeconds(1).isBefore(time.now())) {
        inWindow -= taken.remove().tokens();
      }
      assertThat(inWindow).isLessThanOrEqualTo(burst + rate);
    }
  }

  @Test
  void sixtyFourThreadsTogetherGetNoMoreThanOne() throws Exception {
    var real = new SystemTime();
    var bucket = new TokenBucket(real, 1000, 100);
    var passed = new LongAdder();
    Instant start = real.now();
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int thread = 0; thread < 64; thread++) {
        pool.execute(
            () -> {
              for (int i = 0; i < 20_000; i++) {
                if (bucket.waitFor(1).isZero()) {
                  passed.increment();
                }
              }
            });
      }
    }
    long millis = Duration.between(start, real.now()).toMillis() + 1;
    assertThat(passed.sum()).isBetween(100L, 100 + millis);
  }

  @Test
  void takingWaitsButNotPastTheDeadline() throws InterruptedException {
    var bucket = new TokenBucket(time, 10, 1);
    assertThat(bucket.take(1, Deadline.NEVER)).isTrue();
    assertThat(bucket.take(1, Deadline.in(Duration.ofMillis(99), time))).isFalse();
    assertThat(time.now()).as("refused without waiting").isEqualTo(VirtualTime.START);
  }

  @Test
  void theRateCanChangeWhileTokensAccumulate() {
    var bucket = new TokenBucket(time, 10, 100);
    assertThat(bucket.waitFor(100)).isZero();
    time.advance(Duration.ofSeconds(1));
    bucket.rate(50);
    time.advance(Duration.ofSeconds(1));
    assertThat(bucket.waitFor(60).isZero()).isTrue();
    assertThat(bucket.waitFor(1).isZero()).isFalse();
  }

  @Test
  void aYearOfSilenceFillsTheBucketAndNoMore() {
    var bucket = new TokenBucket(time, 1_000_000_000, 5);
    time.advance(Duration.ofDays(365));
    assertThat(bucket.waitFor(5).isZero()).isTrue();
    assertThat(bucket.waitFor(1).isZero()).isFalse();
  }

  @Test
  void moreThanTheBurstCanNeverPass() {
    var bucket = new TokenBucket(time, 10, 5);
    assertThatThrownBy(() -> bucket.waitFor(6)).hasMessage("6 tokens never fit a burst of 5");
  }

  private record Taken(Instant at, long tokens) {}
}
