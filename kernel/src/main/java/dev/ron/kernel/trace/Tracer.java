package dev.ron.kernel.trace;

import dev.ron.kernel.time.Time;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Begins the spans of one service.
 *
 * <p>A caller that says whether its trace is recorded is followed; of traces that begin here a
 * share is recorded, chosen by the trace's id.
 *
 * <p>Threading: immutable; its receivers are thread-safe and never block.
 */
public final class Tracer {
  /** Records nothing and costs nothing. */
  public static final Tracer NONE = new Tracer();

  private final @Nullable Receivers receivers;
  private final String service;
  private final double share;

  /**
   * Where spans go.
   *
   * @param random for ids
   * @param ended gets each span that was recorded; may not block
   * @param overflowed one request had more spans than are kept of one
   */
  public record Receivers(
      Time time, RandomGenerator random, Consumer<Span> ended, Runnable overflowed) {}

  private Tracer() {
    this.receivers = null;
    this.service = "";
    this.share = 0;
  }

  /**
   * @param share of the traces that begin here: 0 for none, 1 for all
   */
  public Tracer(Receivers receivers, String service, double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share of traces = " + share + ", must be 0 to 1");
    }
    this.receivers = receivers;
    this.service = service;
    this.share = share;
  }

  public boolean isOn() {
    return receivers != null;
  }

  public String service() {
    return service;
  }

  /**
   * Begins the first span of a request here.
   *
   * @param caller what the request says of its trace; null if it says nothing that can be read
   */
  public Span server(@Nullable TraceContext caller) {
    if (receivers == null) {
      return Span.NONE;
    }
    TraceContext from = caller;
    if (from == null) {
      long low = receivers.random().nextLong();
      from = TraceContext.fresh(receivers.random(), low, isChosen(low));
    }
    if (!from.sampled()) {
      return Span.unrecorded(from);
    }
    return caller == null
        ? Span.recorded(new LocalTrace(this), from, 0, Span.Kind.SERVER)
        : Span.recorded(
            new LocalTrace(this), caller.child(random()), caller.spanId(), Span.Kind.SERVER);
  }

  /** By 53 bits of the id, which a double holds without loss. */
  private boolean isChosen(long low) {
    return (low >>> 11) * 0x1p-53 < share;
  }

  Time time() {
    return Objects.requireNonNull(receivers).time();
  }

  RandomGenerator random() {
    return Objects.requireNonNull(receivers).random();
  }

  void ended(Span span) {
    Objects.requireNonNull(receivers).ended().accept(span);
  }

  void overflowed() {
    Objects.requireNonNull(receivers).overflowed().run();
  }
}
