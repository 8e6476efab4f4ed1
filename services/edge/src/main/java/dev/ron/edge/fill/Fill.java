package dev.ron.edge.fill;

import dev.ron.edge.EdgeFault;
import dev.ron.edge.Mount;
import dev.ron.edge.core.CacheRequest;
import dev.ron.edge.core.StoredResponse;
import dev.ron.http.Headers;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.field.ByteRange;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.kernel.time.Time;
import dev.ron.kernel.trace.Span;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One question to an upstream, however many wait for the answer.
 *
 * <p>It belongs to none of the requests that wait: its worker brings it to its end when all have
 * left.
 *
 * <p>Threading: thread-safe; the outcome is set once by the worker, before the gate opens.
 */
public final class Fill {
  /** What is asked. */
  public sealed interface Ask {
    /** As the client asks: for the whole, a range, or the head alone. */
    record Plain() implements Ask {}

    /** Whether the stored answer is still right. */
    record Confirm(StoredResponse stored) implements Ask {}

    /** For bytes that the stored answer lacks. */
    record Missing(StoredResponse stored, ByteRange range) implements Ask {}
  }

  /** What the upstream said. */
  public sealed interface Outcome {
    /**
     * An answer of its own.
     *
     * @param length of the body, -1 if only its end will tell
     * @param bytes null if there is no body
     * @param keeping what it will be stored as, if it may be; without bytes yet
     * @param clause why it is kept or not
     */
    record Answered(
        int status,
        Headers headers,
        long length,
        @Nullable FillBytes bytes,
        Optional<StoredResponse> keeping,
        String clause)
        implements Outcome {
      /** The same with another head. */
      public Answered under(Headers other) {
        return new Answered(status, other, length, bytes, keeping, clause);
      }
    }

    /** The stored answer is right, or is now complete. */
    record Confirmed(StoredResponse stored, int status) implements Outcome {}

    record Failed(EdgeFault fault) implements Outcome {}
  }

  private final CacheRequest request;
  private final Mount mount;
  private final Ask ask;
  private final ClientAnswer.InterimListener interims;
  private final Payer payer = Payer.current();
  private final Span span = Span.current();
  private final Gate known;
  private final Gate over;
  private volatile @Nullable Outcome outcome;
  private final AtomicReference<FillBytes.@Nullable Reader> own = new AtomicReference<>();
  private volatile boolean spoiled;
  private volatile boolean unattended;

  public Fill(
      Time time,
      CacheRequest request,
      Mount mount,
      Ask ask,
      ClientAnswer.InterimListener interims) {
    this.request = request;
    this.mount = mount;
    this.ask = ask;
    this.interims = interims;
    this.known = new Gate(time);
    this.over = new Gate(time);
  }

  /** The request that began it pays for its bytes; those that join pay for what they are sent. */
  Payer payer() {
    return payer;
  }

  /** The call is a part of the trace of the request that began it. */
  Span span() {
    return span;
  }

  /** Whose place it takes in the queue of fills, and in the cache. */
  String tenant() {
    return payer.tenant();
  }

  public CacheRequest request() {
    return request;
  }

  Mount mount() {
    return mount;
  }

  Ask ask() {
    return ask;
  }

  ClientAnswer.InterimListener interims() {
    return interims;
  }

  /** Waits until the upstream has said something; null if the deadline passes first. */
  public @Nullable Outcome await(Deadline deadline) throws InterruptedException {
    return known.await(deadline) ? outcome : null;
  }

  /** Waits until what can be stored is stored; false if the deadline passes first. */
  public boolean awaitOver(Deadline deadline) throws InterruptedException {
    return over.await(deadline);
  }

  /** The answer is known, though its body may be on its way. */
  public boolean isKnown() {
    return known.isOpen();
  }

  /** What is being filled was made worthless meanwhile: it is passed on and not stored. */
  void spoil() {
    spoiled = true;
  }

  /** Whether what is being filled may be stored. */
  boolean wanted() {
    return !spoiled;
  }

  /**
   * The one who began it waits no more. What can be stored is filled all the same; what can only be
   * passed on is given up.
   */
  public void leave() {
    unattended = true;
    FillBytes.Reader unread = ownReader();
    if (unread != null) {
      unread.close();
    }
  }

  /**
   * The bytes for the one who began the fill: opened before any request hears of them, since a
   * small answer is over before its client looks. Null the second time, and if there are none.
   */
  public FillBytes.@Nullable Reader ownReader() {
    return own.getAndSet(null);
  }

  void settle(Outcome result) {
    if (outcome != null) {
      return;
    }
    if (result instanceof Outcome.Answered answered && answered.bytes() != null) {
      own.set(answered.bytes().open());
    }
    outcome = result;
    known.open();
    if (unattended) {
      leave();
    }
  }

  boolean settled() {
    return outcome != null;
  }

  void end() {
    over.open();
  }
}
