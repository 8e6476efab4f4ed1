package dev.ron.kernel.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ConcurrencyLimitTest {
  private final VirtualTime time = new VirtualTime();

  @Test
  void theNextOneIsRefusedAndAFinishedOneMakesRoom() {
    var limit = ConcurrencyLimit.fixed(time, 2);
    var first = limit.tryEnter().orElseThrow();
    assertThat(limit.tryEnter()).isPresent();
    assertThat(limit.tryEnter()).isEmpty();
    first.close();
    first.close();
    assertThat(limit.inflight()).as("closing twice counts once").isEqualTo(1);
    assertThat(limit.tryEnter()).isPresent();
  }

  @Test
  void theLimitHoldsUnderContention() throws Exception {
    var limit = ConcurrencyLimit.fixed(time, 7);
    var inside = new AtomicInteger();
    var most = new AtomicInteger();
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int thread = 0; thread < 32; thread++) {
        pool.execute(
            () -> {
              for (int i = 0; i < 2_000; i++) {
                limit
                    .tryEnter()
                    .ifPresent(
                        permit -> {
                          most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                          Thread.onSpinWait();
                          inside.decrementAndGet();
                          permit.close();
                        });
              }
            });
      }
    }
    assertThat(most.get()).isBetween(1, 7);
    assertThat(limit.inflight()).isZero();
  }

  @Test
  void anAdaptiveLimitGrowsWhileTheOtherSideKeepsUp() {
    var limit = ConcurrencyLimit.adaptive(time, 4, 64);
    int most = 0;
    for (int round = 0; round < 400; round++) {
      serve(limit, 1, 64);
      most = Math.max(most, limit.limit());
    }
    assertThat(most).isEqualTo(64);
  }

  @Test
  void anAdaptiveLimitSettlesNearWhatTheOtherSideCanDo() {
    var limit = ConcurrencyLimit.adaptive(time, 4, 64);
    serve(limit, 2_000, 10);
    assertThat(limit.limit()).isBetween(8, 26);
  }

  @Test
  void aRefusalHalvesAnAdaptiveLimitAndOneIsTheLeast() {
    var limit = ConcurrencyLimit.adaptive(time, 16, 64);
    limit.tryEnter().orElseThrow().overloaded();
    assertThat(limit.limit()).isEqualTo(8);
    for (int i = 0; i < 10; i++) {
      limit.tryEnter().orElseThrow().overloaded();
    }
    assertThat(limit.limit()).isEqualTo(1);
  }

  @Test
  void aFixedLimitDoesNotMove() {
    var limit = ConcurrencyLimit.fixed(time, 8);
    serve(limit, 500, 2);
    limit.tryEnter().orElseThrow().overloaded();
    assertThat(limit.limit()).isEqualTo(8);
  }

  /** A server with {@code slots}: what exceeds them waits its turn, so latency grows with load. */
  private void serve(ConcurrencyLimit limit, int rounds, int slots) {
    for (int round = 0; round < rounds; round++) {
      List<ConcurrencyLimit.Permit> batch = new ArrayList<>();
      for (Optional<ConcurrencyLimit.Permit> p = limit.tryEnter();
          p.isPresent();
          p = limit.tryEnter()) {
        batch.add(p.get());
      }
      long waves = Math.ceilDiv(batch.size(), slots);
      time.advance(Duration.ofMillis(10).multipliedBy(waves));
      batch.forEach(ConcurrencyLimit.Permit::close);
    }
  }
}
