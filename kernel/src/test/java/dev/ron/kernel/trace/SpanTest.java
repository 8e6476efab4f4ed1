package dev.ron.kernel.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import dev.ron.kernel.time.VirtualTime;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spans, who records them, and what they cost where nothing is traced. */
final class SpanTest {
  private static final TraceContext SAMPLED = new TraceContext(1, 2, 3, 1);
  private static final TraceContext NOT_SAMPLED = new TraceContext(1, 2, 3, 0);

  private final VirtualTime time = new VirtualTime();
  private final List<Span> ended = new ArrayList<>();
  private int overflowed;

  private Tracer tracer(double share) {
    return new Tracer(
        new Tracer.Receivers(time, new Random(7), ended::add, () -> overflowed++), "door", share);
  }

  /** Each as {@code name begin+length}, in milliseconds. */
  private String told() {
    return ended.stream()
        .map(
            span ->
                "%s %d+%d%s"
                    .formatted(
                        span.name(),
                        Duration.between(VirtualTime.START, span.begun()).toMillis(),
                        Duration.between(span.begun(), span.ended()).toMillis(),
                        span.error() == null ? "" : " " + span.error()))
        .collect(Collectors.joining(", "));
  }

  private void pass(int millis) {
    time.advance(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @CsvSource({
    // share, caller,     recorded, told to the next server
    "0,       none,       false,    fresh",
    "1,       none,       true,     fresh",
    "0,       sampled,    true,     its trace",
    "1,       sampled,    true,     its trace",
    "0,       unsampled,  false,    its trace",
    "1,       unsampled,  false,    its trace",
  })
  void whoDecides(double share, String caller, boolean recorded, String next) {
    @Nullable TraceContext said =
        switch (caller) {
          case "sampled" -> SAMPLED;
          case "unsampled" -> NOT_SAMPLED;
          default -> null;
        };
    Span span = tracer(share).server(said);
    assertThat(span.isRecorded()).isEqualTo(recorded);
    assertThat(span.context()).isNotNull();
    assertThat(span.context().sampled()).isEqualTo(recorded);
    assertThat(span.context().low() == SAMPLED.low()).isEqualTo(next.equals("its trace"));
    assertThat(span.parentId()).isEqualTo(recorded && said != null ? said.spanId() : 0);
  }

  @Test
  void aShareOfTheTracesThatBeginHereIsRecorded() {
    Tracer some = tracer(0.25);
    long recorded = IntStream.range(0, 10_000).filter(_ -> some.server(null).isRecorded()).count();
    assertThat(recorded).isBetween(2_300L, 2_700L);
  }

  @Test
  void aRequestItsWaitAndItsWorkAreATree() throws Exception {
    Span request = tracer(1).server(SAMPLED).named("PUT /o");
    Reply<String> reply =
        request.call(
            () ->
                new Reply<>(
                    time, WaitSpans.of(new WaitSpans.Names("shard queue", "shard commit"))));
    pass(5);
    assertThat(reply.claim()).isTrue();
    pass(20);
    reply.answer("done");
    assertThat(reply.await(Deadline.NEVER)).isEqualTo("done");
    pass(1);
    request.with("ron.op", "put").with("http.response.status_code", 503).fail("503");
    request.end();
    assertThat(told()).isEqualTo("shard queue 0+5, shard commit 5+20, PUT /o 0+26 503");
    assertThat(ended.getLast().values())
        .containsEntry("ron.op", "put")
        .containsEntry("http.response.status_code", 503L);
    assertThat(ended.getLast().parentId()).isEqualTo(SAMPLED.spanId());
    for (Span wait : ended.subList(0, 2)) {
      assertThat(wait.parentId()).isEqualTo(request.context().spanId());
      assertThat(wait.context().low()).isEqualTo(SAMPLED.low());
      assertThat(wait.service()).isEqualTo("door");
    }
  }

  @Test
  void aWaitThatIsGivenUpTellsOfTheQueueAlone() throws Exception {
    Span request = tracer(1).server(null).named("send");
    Reply<String> reply =
        request.call(() -> new Reply<>(time, WaitSpans.of(new WaitSpans.Names("queue", "work"))));
    pass(30);
    assertThat(reply.claim()).as("the request gives up").isTrue();
    request.end();
    assertThat(told()).isEqualTo("queue 0+30, send 0+30");
  }

  @Test
  void oneRequestHasABoundedNumberOfSpans() {
    Span request = tracer(1).server(null).named("batch");
    for (int i = 0; i < 100; i++) {
      Span child = request.child("each", Span.Kind.INTERNAL);
      assertThat(child.context()).as("goes on all the same").isNotNull();
      child.end();
    }
    request.end();
    assertThat(ended).hasSize(LocalTrace.SPANS_MAX);
    assertThat(ended.getLast().name()).isEqualTo("batch");
    assertThat(overflowed).isEqualTo(101 - LocalTrace.SPANS_MAX);
  }

  @Test
  void aLongValueIsCutAndADroppedSpanIsNotTold() {
    Span request = tracer(1).server(null).with("k", "x".repeat(1000));
    assertThat(request.values()).containsEntry("k", "x".repeat(Span.VALUE_CHARS_MAX));
    request.drop();
    request.end();
    assertThat(ended).isEmpty();
  }

  @Test
  void whereNothingIsTracedNothingIsMade() throws Exception {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < 20_000; i++) {
      untraced();
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 20_000; i++) {
      untraced();
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(20_000);
  }

  private static final WaitSpans.Names NAMES = new WaitSpans.Names("queue", "work");

  private static void untraced() {
    Span request = Tracer.NONE.server(null);
    Span wait = Span.current().child("wait", Span.Kind.INTERNAL).with("k", "v").with("n", 7);
    Reply.Steps steps = WaitSpans.of(NAMES);
    steps.begun();
    steps.answered();
    wait.fail("no");
    request.named("r").end();
  }
}
