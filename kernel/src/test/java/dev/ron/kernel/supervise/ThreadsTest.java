package dev.ron.kernel.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.kernel.trace.Span;
import dev.ron.kernel.trace.Tracer;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
final class ThreadsTest {
  /** What a thread knows of the request that it works for. */
  private record Known(Deadline deadline, Span span, Payer payer, String tenant) {
    static Known here() {
      return new Known(Deadline.current(), Span.current(), Payer.current(), Payer.currentTenant());
    }
  }

  private static Known onAnother(Threads threads) throws InterruptedException {
    var known = new AtomicReference<Known>();
    threads.start("test", Threads.sameRequest(() -> known.set(Known.here()))).join();
    return known.get();
  }

  @Test
  void workOnAnotherThreadIsTheSameRequests() throws Exception {
    var payer = new Payer(Meter.NONE);
    payer.is("acme");
    var deadline = new Deadline(Instant.ofEpochSecond(7));
    var receivers = new Tracer.Receivers(new VirtualTime(), new Random(7), _ -> {}, () -> {});
    Span span = new Tracer(receivers, "door", 1).server(null);
    for (Threads threads : new Threads[] {Threads.virtual(), Threads.platform()}) {
      Known known = payer.call(() -> span.call(() -> deadline.call(() -> onAnother(threads))));
      assertThat(known).isEqualTo(new Known(deadline, span, payer, "acme"));
    }
  }

  /** Who pays is found out in the request's body at times: both threads hear of it. */
  @Test
  void aPayerThatIsKnownLaterIsTheSame() throws Exception {
    var payer = new Payer(Meter.NONE);
    var known = new AtomicReference<Known>();
    Runnable work = payer.call(() -> Threads.sameRequest(() -> known.set(Known.here())));
    payer.is("acme");
    Threads.virtual().start("test", work).join();
    assertThat(known.get().tenant()).isEqualTo("acme");
  }

  @Test
  void workOfNoRequestStaysSo() throws Exception {
    assertThat(onAnother(Threads.virtual()))
        .isEqualTo(new Known(Deadline.NEVER, Span.NONE, Payer.current(), ""));
  }
}
