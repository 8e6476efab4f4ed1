package dev.ron.kernel.trace;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One timed piece of a trace: a request at a door, a wait in a queue, a call to another server.
 *
 * <p>The span of a request travels with its thread, as a scoped value. {@link #NONE} stands for all
 * work that is not traced: each of its methods returns at once and makes nothing. A span that is
 * not recorded still has the ids that go on to the next process, so that all processes decide
 * alike.
 *
 * <p>A span tells names, numbers and outcomes. It is given no path, body, header or token.
 *
 * <p>Threading: children are begun on any thread. {@code over} decides which of several ends
 * counts, and the receiver's queue publishes it; a value that comes too late is told or is not.
 */
public final class Span {
  public static final Span NONE = new Span(null, null, 0, Kind.INTERNAL);

  /** Longer ones are cut: no value that comes from a request may make a batch large. */
  static final int VALUE_CHARS_MAX = 128;

  private static final ScopedValue<Span> CURRENT = ScopedValue.newInstance();

  private final @Nullable LocalTrace local;
  private final @Nullable TraceContext context;
  private final long parentId;
  private final Kind kind;
  private final @Nullable Instant begun;
  private final Map<String, Object> values;
  private final AtomicBoolean over;
  private String name = "";
  private @Nullable Instant ended;
  private @Nullable String error;

  /** On which side of a call it is. */
  public enum Kind {
    INTERNAL,
    SERVER,
    CLIENT
  }

  private Span(
      @Nullable LocalTrace local, @Nullable TraceContext context, long parentId, Kind kind) {
    this.local = local;
    this.context = context;
    this.parentId = parentId;
    this.kind = kind;
    this.begun = local == null ? null : local.wall();
    this.values = local == null ? Map.of() : new ConcurrentSkipListMap<>();
    this.over = new AtomicBoolean(local == null);
  }

  static Span recorded(LocalTrace local, TraceContext context, long parentId, Kind kind) {
    return local.takesOneMore() ? new Span(local, context, parentId, kind) : unrecorded(context);
  }

  static Span unrecorded(TraceContext context) {
    return new Span(null, context, 0, Kind.INTERNAL);
  }

  /** The span of the work this thread does. */
  public static Span current() {
    return CURRENT.isBound() ? CURRENT.get() : NONE;
  }

  public boolean isRecorded() {
    return local != null;
  }

  /** What the next process is told; null if nothing is traced. */
  public @Nullable TraceContext context() {
    return context;
  }

  /** A piece of this one; this one itself where that is not recorded. */
  public Span child(String childName, Kind childKind) {
    LocalTrace shared = local;
    TraceContext own = context;
    if (shared == null || own == null) {
      return this;
    }
    if (!shared.takesOneMore()) {
      return unrecorded(own);
    }
    var child = new Span(shared, own.child(shared.tracer().random()), own.spanId(), childKind);
    child.name = childName;
    return child;
  }

  public Span named(String other) {
    if (local != null) {
      name = other;
    }
    return this;
  }

  public Span with(String key, String value) {
    if (local != null) {
      values.put(
          key, value.length() > VALUE_CHARS_MAX ? value.substring(0, VALUE_CHARS_MAX) : value);
    }
    return this;
  }

  public Span with(String key, long value) {
    if (local != null) {
      values.put(key, value);
    }
    return this;
  }

  public void end() {
    end(null);
  }

  /** Ends it as failed, for a reason out of a few; a second end of either kind does nothing. */
  public void fail(String why) {
    end(why);
  }

  private void end(@Nullable String why) {
    LocalTrace shared = local;
    if (shared != null && over.compareAndSet(false, true)) {
      error = why;
      ended = shared.wall();
      shared.tracer().ended(this);
    }
  }

  /** Ends it and tells nothing of it, for what is not worth a place in a trace. */
  public void drop() {
    if (local != null) {
      over.set(true);
    }
  }

  /** Runs with this span as the current one. */
  public <T> T call(Callable<T> work) throws Exception {
    return context == null
        ? work.call()
        : ScopedValue.where(CURRENT, this).<T, Exception>call(work::call);
  }

  /** As {@link #call}. */
  public void run(Runnable work) {
    if (context == null) {
      work.run();
    } else {
      ScopedValue.where(CURRENT, this).run(work);
    }
  }

  // ---- for the receiver of a span that ended

  public String service() {
    return Objects.requireNonNull(local).tracer().service();
  }

  public String name() {
    return name;
  }

  public Kind kind() {
    return kind;
  }

  /** 0 where the trace begins. */
  public long parentId() {
    return parentId;
  }

  public Instant begun() {
    return Objects.requireNonNull(begun);
  }

  public Instant ended() {
    return Objects.requireNonNull(ended);
  }

  /** Texts and longs. */
  public Map<String, Object> values() {
    return Collections.unmodifiableMap(values);
  }

  /** Why it failed; null if it did not. */
  public @Nullable String error() {
    return error;
  }
}
