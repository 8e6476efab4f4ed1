package dev.ron.kernel.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import dev.ron.kernel.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

class RetryTest {
  private final VirtualTime clock = new VirtualTime();
  private final Scope scope =
      Scope.of(
          "test",
          World.seeded(
              new SleepingAdvances(),
              new SplittableRandom(5),
              new RealDisk(),
              Threads.virtual(),
              Log.silent()));
  private final Retry retry =
      Retry.idempotent(
          scope, "fill", 3, new Backoff.Added(Duration.ofMillis(50), Duration.ofMillis(800), true));
  private int tries;

  @Test
  void whatFailsOnceIsTriedAgain() throws Exception {
    assertThat(retry.call(() -> failUntil(2), IOException.class::isInstance)).isEqualTo("done");
    assertThat(tries).isEqualTo(2);
    assertThat(scope.counters().backoffRetries().labelValues("fill").get()).isEqualTo(1);
  }

  @Test
  void theLastFailureIsTheAnswerWhenTheTriesAreUsedUp() {
    assertThatThrownBy(() -> retry.call(() -> failUntil(9), IOException.class::isInstance))
        .hasMessage("try 3");
  }

  @Test
  void whatIsNotTransientIsNotTriedAgain() {
    assertThatThrownBy(() -> retry.call(() -> failUntil(9), _ -> false)).hasMessage("try 1");
  }

  @Test
  void whatIsNotIdempotentIsNotTriedAgain() {
    assertThatThrownBy(
            () -> Retry.once(scope, "pay").call(() -> failUntil(9), IOException.class::isInstance))
        .hasMessage("try 1");
  }

  @Test
  void noTryStartsPastTheDeadline() {
    Instant start = clock.now();
    var deadline = Deadline.in(Duration.ofMillis(120), clock);
    assertThatThrownBy(
            () ->
                deadline.call(() -> retry.call(() -> failUntil(9), IOException.class::isInstance)))
        .hasMessage("try 2");
    assertThat(Duration.between(start, clock.now())).isLessThan(Duration.ofMillis(120));
  }

  private String failUntil(int success) throws IOException {
    tries++;
    if (tries < success) {
      throw new IOException("try " + tries);
    }
    return "done";
  }

  /** Virtual time that moves when the code sleeps, for code on one thread. */
  private final class SleepingAdvances implements Time {
    @Override
    public Instant now() {
      return clock.now();
    }

    @Override
    public Instant wall() {
      return clock.wall();
    }

    @Override
    public boolean await(Lock lock, Condition condition, Instant until) {
      throw new IllegalStateException("nothing here waits on a condition");
    }

    @Override
    public void sleepUntil(Instant until) {
      clock.advanceTo(until);
    }
  }
}
