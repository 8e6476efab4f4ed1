package dev.ron.http.server.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.VirtualTime;
import dev.ron.testkit.SeedRow;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The schedule of the tick in virtual time: nothing is ended early, and nothing 100 ms late. */
final class EventLoopContextTest {
  private static final Duration LATE = Duration.ofMillis(100);
  private final VirtualTime time = new VirtualTime();
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private EventLoopContext loop;

  @BeforeEach
  void begin() {
    channel.freezeTime();
    loop = new EventLoopContext(channel.eventLoop(), time, Duration.ofSeconds(5));
  }

  @AfterEach
  void end() {
    var _ = channel.close();
  }

  private void pass(long millis) {
    for (long i = 0; i < millis; i++) {
      time.advance(Duration.ofMillis(1));
      channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
      channel.runScheduledPendingTasks();
    }
  }

  /** Ends at its deadline, as an exchange does. */
  private final class Request implements TimeoutSweep {
    final Instant deadline;
    Instant ended = Instant.MAX;

    Request(long millis) {
      deadline = time.now().plusMillis(millis);
    }

    @Override
    public Instant sweep(Instant now) {
      if (now.isBefore(deadline)) {
        return deadline;
      }
      ended = ended.equals(Instant.MAX) ? now : ended;
      return Instant.MAX;
    }
  }

  @Test
  @SeedRow({"E74", "G71"})
  void aDeadlineIsKeptWhereverItFallsBetweenTicks() {
    for (long limit : new long[] {1, 10, 60, 249, 250, 300, 1999}) {
      for (int offset = 0; offset < 260; offset += 13) {
        pass(offset);
        var request = new Request(limit);
        loop.add(request);
        loop.awake();
        pass(limit + 200);
        assertThat(Duration.between(request.deadline, request.ended))
            .as("limit %d ms, %d ms after a calm time", limit, offset)
            .isBetween(Duration.ZERO, LATE);
        loop.remove(request);
      }
    }
  }

  /** Watches for progress, as a connection does while a body is awaited. */
  private static final class Watched implements TimeoutSweep {
    final Stall stall = new Stall();
    long progress;
    Instant cut = Instant.MAX;

    @Override
    public Instant sweep(Instant now) {
      if (stall.longerThan(Duration.ofMillis(400), progress, now)) {
        cut = cut.equals(Instant.MAX) ? now : cut;
      }
      return now;
    }
  }

  @Test
  @SeedRow({"E74", "G71"})
  void aStallIsCutAtItsLimitAfterTheLastProgress() {
    for (int offset = 0; offset < 260; offset += 13) {
      pass(500 + offset);
      var watched = new Watched();
      loop.add(watched);
      loop.awake();
      pass(130 + offset);
      watched.progress++;
      Instant last = time.now();
      pass(700);
      assertThat(Duration.between(last, watched.cut))
          .as("%d ms after a calm time", offset)
          .isBetween(Duration.ofMillis(400), Duration.ofMillis(400).plus(LATE));
      loop.remove(watched);
    }
  }

  @Test
  void aLoopOnWhichNothingIsDueTicksFourTimesASecond() {
    var ticks = new AtomicInteger();
    loop.add(
        _ -> {
          ticks.incrementAndGet();
          return Instant.MAX;
        });
    pass(10_000);
    assertThat(ticks).hasValueBetween(30, 41);
  }
}
