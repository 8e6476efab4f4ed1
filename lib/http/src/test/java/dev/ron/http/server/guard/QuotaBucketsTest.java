package dev.ron.http.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.Time;
import dev.ron.testkit.SeedRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

final class QuotaBucketsTest {
  private static final int RATE = 100;

  /** A clock the test turns. */
  private static final class HandTime implements Time {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);

    @Override
    public Instant now() {
      return now.get();
    }

    @Override
    public Instant wall() {
      return now.get();
    }

    @Override
    public boolean await(Lock lock, Condition condition, Instant until) {
      throw new UnsupportedOperationException("nobody waits here");
    }

    @Override
    public void sleepUntil(Instant until) {
      throw new UnsupportedOperationException("nobody sleeps here");
    }

    void turn(Duration by) {
      now.updateAndGet(at -> at.plus(by));
    }
  }

  /**
   * 64 threads ask without a pause while the clock is turned in steps of 10 ms. What passed surely
   * inside a window is at most the burst and the rate's worth of the window, for every window.
   */
  @Test
  @SeedRow("G39")
  void overAnyWindowAtMostTheLimitAndTheBurstPassFrom64Threads() throws Exception {
    var time = new HandTime();
    var book = new QuotaBuckets(time);
    var key = new QuotaBuckets.Key("tenant", "acme", RATE);
    int steps = 400;
    // Passes whose asking began and ended within the same step, by step; others by the pair.
    var passes = new AtomicInteger[steps + 1];
    for (int i = 0; i <= steps; i++) {
      passes[i] = new AtomicInteger();
    }
    var astride = new AtomicInteger();
    var total = new AtomicInteger();
    var stop = new AtomicReference<>(false);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 64; t++) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                while (!stop.get()) {
                  Instant before = time.now();
                  boolean passed = book.waitFor(key).isZero();
                  Instant after = time.now();
                  if (passed) {
                    total.incrementAndGet();
                    if (before.equals(after)) {
                      passes[(int) (before.toEpochMilli() / 10)].incrementAndGet();
                    } else {
                      astride.incrementAndGet();
                    }
                  }
                  java.util.concurrent.locks.LockSupport.parkNanos(1);
                }
              }));
    }
    for (int i = 0; i < steps; i++) {
      int seen = total.get();
      for (int spin = 0; spin < 200 && total.get() == seen; spin++) {
        java.util.concurrent.locks.LockSupport.parkNanos(1);
      }
      time.turn(Duration.ofMillis(10));
    }
    stop.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    for (int from = 0; from <= steps; from++) {
      int inside = 0;
      for (int to = from; to <= steps; to++) {
        inside += passes[to].get();
        int most = RATE + RATE * (to - from + 1) / 100;
        assertThat(inside).as("steps %d to %d", from, to).isLessThanOrEqualTo(most);
      }
    }
    assertThat(total.get()).isLessThanOrEqualTo(RATE + RATE * steps / 100);
    assertThat(total.get()).as("and the limit is reached").isGreaterThan(RATE * steps / 100 / 2);
  }

  @Test
  void aBucketIsForgottenOnlyWhenItIsFull() {
    var time = new HandTime();
    var book = new QuotaBuckets(time, 2);
    assertThat(drain(book, "a")).isEqualTo(RATE);
    assertThat(drain(book, "b")).isEqualTo(RATE);
    assertThat(book.waitFor(key("c"))).as("no room").isPositive();
    time.turn(Duration.ofMillis(900));
    assertThat(book.waitFor(key("c"))).as("they may not be full yet").isPositive();
    time.turn(Duration.ofMillis(300));
    assertThat(book.waitFor(key("c"))).isZero();
    assertThat(book.count()).isEqualTo(1);
    assertThat(drain(book, "a")).isEqualTo(RATE);
  }

  private static QuotaBuckets.Key key(String name) {
    return new QuotaBuckets.Key("tenant", name, RATE);
  }

  private static int drain(QuotaBuckets book, String name) {
    int passed = 0;
    while (book.waitFor(key(name)).isZero()) {
      passed++;
    }
    return passed;
  }
}
