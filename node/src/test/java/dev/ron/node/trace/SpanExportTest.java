package dev.ron.node.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.kernel.trace.Span;
import dev.ron.kernel.trace.Tracer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** When spans are sent, sent again and given up, in virtual time. */
final class SpanExportTest {
  private static final SpanSender.Verdict TAKEN = new SpanSender.Verdict.Taken(0);
  private static final SpanSender.Verdict LATER =
      new SpanSender.Verdict.Later("busy", Duration.ZERO);

  private final VirtualTime time = new VirtualTime();
  private final Scope scope =
      Scope.of(
          "node",
          World.seeded(time, new Random(3), new RealDisk(), Threads.virtual(), Log.silent()));
  private final TraceMetrics metrics = TraceMetrics.in(scope.metrics());
  private final Channel<Span> spans = Channel.bounded(scope, "spans", 2048, Overflow.REJECT_NEW);
  private final ArrayDeque<SpanSender.Verdict> answers = new ArrayDeque<>();
  private final List<Long> sentAt = new ArrayList<>();
  private final SpanExport export =
      new SpanExport(
          scope,
          spans,
          new SpanSender() {
            @Override
            public String name() {
              return "test";
            }

            @Override
            public Verdict send(byte[] batch, Deadline deadline) {
              sentAt.add(Duration.between(VirtualTime.START, time.now()).toMillis());
              return answers.size() > 1 ? answers.remove() : answers.element();
            }
          },
          "n1",
          metrics);

  private void end(int count) {
    var receivers = new Tracer.Receivers(time, new Random(1), spans::trySend, () -> {});
    for (int i = 0; i < count; i++) {
      new Tracer(receivers, "door", 1).server(null).named("r").end();
    }
  }

  /** Steps until the task waits for a span, as its driver would. */
  private void play() throws Exception {
    for (int steps = 0; steps < 1000; steps++) {
      switch (export.run(time.now())) {
        case Next.Await(var inboxes, Instant until) when inboxes.isEmpty() -> time.advanceTo(until);
        case Next.Await _ -> {
          return;
        }
        case Next.Again _ -> {}
        case Next.Done _ -> throw new AssertionError("it never ends by itself");
      }
    }
    throw new AssertionError("a thousand steps");
  }

  private double dropped(String reason) {
    return metrics.dropped().labelValues(reason).get();
  }

  @Test
  void fewSpansWaitASecondForOthersAndManyGoAtOnce() throws Exception {
    answers.add(TAKEN);
    end(3);
    play();
    end(SpanExport.BATCH_SPANS_MAX + 1);
    play();
    assertThat(sentAt).containsExactly(1000L, 1000L, 2000L);
    assertThat(metrics.exported().get()).isEqualTo(3 + SpanExport.BATCH_SPANS_MAX + 1);
  }

  @Test
  void aBatchIsTriedAgainWithGrowingPausesAndGivenUpAfterAMinute() throws Exception {
    answers.add(LATER);
    end(3);
    play();
    assertThat(sentAt).hasSizeBetween(8, 14);
    for (int i = 2; i < sentAt.size(); i++) {
      assertThat(sentAt.get(i) - sentAt.get(i - 1))
          .isBetween(sentAt.get(i - 1) - sentAt.get(i - 2), 10_000L);
    }
    assertThat(sentAt.getLast()).isLessThanOrEqualTo(61_000);
    assertThat(dropped("late")).isEqualTo(3);
    assertThat(metrics.exports().labelValues("failed").get()).isEqualTo(sentAt.size());
  }

  @Test
  void aCollectorThatSaysHowLongIsLeftAloneForSoLong() throws Exception {
    answers.add(new SpanSender.Verdict.Later("busy", Duration.ofSeconds(20)));
    answers.add(TAKEN);
    end(1);
    play();
    assertThat(sentAt).containsExactly(1000L, 21_000L);
    assertThat(metrics.exported().get()).isEqualTo(1);
  }

  @Test
  void whatIsLeftAtTheEndIsSentOnceOrCounted() throws Exception {
    answers.add(LATER);
    answers.add(TAKEN);
    answers.add(LATER);
    end(2);
    time.advance(Duration.ofSeconds(2));
    assertThat(export.run(time.now())).isInstanceOf(Next.Await.class); // the first one came now
    time.advance(Duration.ofSeconds(2));
    assertThat(export.run(time.now()))
        .as("sent, and to be sent again")
        .isInstanceOf(Next.Again.class);
    end(600);
    export.finish(time.now());
    assertThat(metrics.exported().get()).as("the batch in hand").isEqualTo(2);
    assertThat(dropped("shutdown")).isEqualTo(600);
    assertThat(sentAt).hasSize(3);
  }
}
