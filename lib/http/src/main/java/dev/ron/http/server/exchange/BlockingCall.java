package dev.ron.http.server.exchange;

import dev.ron.http.Headers;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.ServerContext;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.time.Waiter;
import dev.ron.kernel.trace.Span;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A blocking handler at work on its own virtual thread.
 *
 * <p>Threading: runs on that thread; {@link #cancel} may be called by the event loop at any time.
 */
public final class BlockingCall implements Runnable {
  private final Exchange exchange;
  private final Callable<Answer> work;
  private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
  private volatile boolean cancelled;

  public BlockingCall(Exchange exchange, Callable<Answer> work) {
    this.exchange = exchange;
    this.work = work;
  }

  /** At once, or after what the peer has sent with the head has been taken. */
  public void start() {
    exchange.work().began(this);
    if (exchange.head().hasBody()) {
      exchange.body().gather();
      exchange.loop().execute(this::begin);
    } else {
      begin();
    }
  }

  private void begin() {
    ServerContext server = exchange.server();
    String name = server.scope().service() + "/http/" + exchange.route().op();
    Runnable work = () -> server.scope().world().threads().start(name, this);
    exchange.stay().begin(exchange.payer().tenant(), work);
  }

  void cancel() {
    cancelled = true;
    Thread working = thread.get();
    if (working != null) {
      working.interrupt();
    }
  }

  @Override
  public void run() {
    thread.set(Thread.currentThread());
    if (cancelled) {
      // The answer would go nowhere: a request that its peer has cancelled costs no work.
      exchange.stay().endWork();
      onLoop(exchange::workDone, () -> {});
      return;
    }
    try {
      Answer answer = AnswerBodies.wrapped(exchange, awaited(this::answer));
      if (answer.body() instanceof Body.Stream stream) {
        stream(answer, stream);
      } else {
        onLoop(() -> exchange.answer(answer), answer::abandon);
      }
    } catch (Exception | OutOfMemoryError e) {
      // Running out of memory for one answer must not leave its peer waiting for ever.
      exchange.server().bug(exchange, e);
      onLoop(() -> exchange.answer(Answer.problem(new HttpFault.Internal())), () -> {});
    } finally {
      exchange.stay().endWork();
      thread.set(null);
      onLoop(exchange::workDone, () -> {});
    }
  }

  /** With all that travels with the thread of a request. */
  private <T> T awaited(Callable<T> part) throws Exception {
    Callable<T> charged = () -> exchange.payer().call(part);
    Span span = exchange.span();
    Callable<T> traced = span.equals(Span.NONE) ? charged : () -> span.call(charged);
    return new Peer().call(() -> exchange.deadline().call(traced));
  }

  /** Waits for this call, and has its turn end when the work pauses. */
  final class Peer implements Waiter {
    private Peer() {}

    @Override
    public void giveUp(Duration after) {
      onLoop(() -> exchange.stuck(after), () -> {});
    }

    @Override
    public void pauses() {
      exchange.stay().pauses();
    }

    void resume() {
      exchange.stay().resume(exchange.payer().tenant());
    }

    TenantStay stay() {
      return exchange.stay();
    }
  }

  private Answer answer() throws Exception {
    try {
      return work.call();
    } catch (Refusal refusal) {
      return Answer.problem(refusal);
    } catch (InterruptedException | java.io.InterruptedIOException cancelled) {
      return Answer.problem(new KernelFault.Timeout(exchange.route().op(), Duration.ZERO));
    }
  }

  /** The head goes first, then the writer runs; a failure after that can only cut the answer. */
  private void stream(Answer answer, Body.Stream stream) throws Exception {
    onLoop(() -> AnswerBodies.head(exchange, answer.status(), answer.headers(), stream), () -> {});
    if (exchange.method().equals("HEAD")) {
      return;
    }
    try {
      var sink = new BodySink(exchange, exchange.wire());
      Headers trailers = awaited(() -> stream.writer().writeTo(sink));
      onLoop(() -> exchange.endAnswer(trailers), () -> {});
    } catch (IOException | InterruptedException gone) {
      onLoop(exchange::cut, () -> {});
    } catch (Exception | OutOfMemoryError e) {
      exchange.server().bug(exchange, e);
      onLoop(exchange::cut, () -> {});
    }
  }

  /** A thread that outlived its server finds the loop gone: then no client waits for the answer. */
  private void onLoop(Runnable step, Runnable otherwise) {
    try {
      exchange.loop().execute(step);
    } catch (RejectedExecutionException loopIsGone) {
      otherwise.run();
    }
  }
}
