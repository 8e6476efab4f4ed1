package dev.ron.kernel.trace;

import dev.ron.kernel.time.Reply;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The spans of a wait for another task: in its queue, then for its work.
 *
 * <p>A request that gives up claims its reply, which ends the wait in the queue as if the work had
 * begun; the span of that work never ends and is never told.
 *
 * <p>Threading: thread-safe; {@code work} is set once.
 */
public final class WaitSpans implements Reply.Steps {
  /** How the two parts are called. */
  public record Names(String queue, String work) {}

  private final Span request;
  private final Names names;
  private final Span queue;
  private final AtomicReference<Span> work = new AtomicReference<>(Span.NONE);

  private WaitSpans(Span request, Names names) {
    this.request = request;
    this.names = names;
    this.queue = request.child(names.queue(), Span.Kind.INTERNAL);
  }

  /** For a reply that the current request is about to wait for. */
  public static Reply.Steps of(Names names) {
    Span request = Span.current();
    return request.isRecorded() ? new WaitSpans(request, names) : Reply.Steps.NONE;
  }

  @Override
  public void begun() {
    if (work.get().equals(Span.NONE)) {
      queue.end();
      work.compareAndSet(Span.NONE, request.child(names.work(), Span.Kind.INTERNAL));
    }
  }

  @Override
  public void answered() {
    queue.end();
    work.get().end();
  }
}
