package dev.ron.gateway.forward;

import dev.ron.gateway.GatewayFault;
import dev.ron.gateway.GatewayRoute;
import dev.ron.gateway.admit.Admission;
import dev.ron.gateway.admit.AdmissionTicket;
import dev.ron.gateway.admit.RequestChecks;
import dev.ron.gateway.admit.Tenant;
import dev.ron.gateway.api.Proxy;
import dev.ron.gateway.core.RequestCost;
import dev.ron.gateway.core.RequestKind;
import dev.ron.gateway.core.RetryRule;
import dev.ron.gateway.route.Upstream;
import dev.ron.gateway.route.UpstreamPool;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.client.ClientFault;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.AnswerStream;
import dev.ron.http.server.exchange.BodyReader;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Bearer;
import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.supervise.Signal;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.trace.Span;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through: it waits for a place, is tried, is answered.
 *
 * <p>A small body is taken in before the request asks for a place, so that a client who sends
 * slowly does not hold one meanwhile, and so that it can be sent again. A larger one streams.
 *
 * <p>Threading: owned by the exchange's event loop; {@link #granted} and {@link #refused} hop onto
 * it.
 */
public final class ProxiedRequest implements AdmissionTicket.Holder {
  private static final int HELD_BYTES_MAX = 64 * 1024;
  private static final byte[] NO_BODY = {};

  private final Proxy proxy;
  private final Exchange exchange;
  private final GatewayRoute route;
  private final UpstreamPool pool;
  private final Tenant tenant;
  private final String witness;
  private final boolean fair;
  private final Instant arrived;
  private @Nullable AdmissionTicket ticket;
  private @Nullable UpstreamAttempt current;
  private @Nullable AnswerStream out;
  private byte[] body = NO_BODY;
  private Set<Upstream> failed = Set.of();
  private boolean streams;
  private boolean bodyBegun;
  private boolean hurried;
  private boolean tunnelled;
  private boolean over;
  private int tries;
  private Span wait = Span.NONE;

  public ProxiedRequest(Proxy proxy, Exchange exchange, RequestChecks.CheckedRequest passed) {
    this.proxy = proxy;
    this.exchange = exchange;
    this.route = passed.line().route();
    this.pool = passed.line().pool();
    this.tenant = passed.tenant();
    this.witness = passed.witness();
    this.fair = passed.routing().fair();
    this.arrived = exchange.begun();
  }

  // ---- waiting for a place

  public void arrive() {
    GatewayFault shed = proxy.admission().arrive(tenant, route.isWrite(exchange.method()));
    exchange.whenOver(this::over);
    if (shed != null) {
      exchange.answer(Answer.problem(shed));
      return;
    }
    if (pool.absent(fromMachine())) {
      failWith("it is not part of this node");
      return;
    }
    Headers headers = exchange.headers();
    hurried = headers.has("Request-Timeout") || headers.has("Deadline");
    exchange.until(exchange.deadline().earlier(new Deadline(arrived.plus(route.timeout()))));
    long length = exchange.head().bodyLength();
    streams = length < 0 || length > HELD_BYTES_MAX || bodyDecoded();
    if (length == 0 || streams) {
      enter();
    } else {
      exchange.body().collect(HELD_BYTES_MAX, this::held);
    }
  }

  private void held(byte[] whole) {
    body = whole;
    if (!over) {
      enter();
    }
  }

  private void enter() {
    int cost = RequestCost.of(route.cost(), exchange.head().bodyLength());
    var asked = new AdmissionTicket(pool, tenant, fair ? tenant.key() : "", cost, this);
    ticket = asked;
    Admission admission = proxy.admission();
    switch (admission.enter(asked)) {
      case AT_ONCE -> attempt(body.length == 0 ? arrived : now());
      case WAITING -> wait = exchange.span().child("gateway queue", Span.Kind.INTERNAL);
      case REFUSED -> exchange.answer(Answer.problem(admission.busy(tenant)));
    }
  }

  @Override
  public void granted() {
    hop(this::attemptNow);
  }

  private void attemptNow() {
    wait.end();
    attempt(now());
  }

  private Instant now() {
    return proxy.scope().time().now();
  }

  @Override
  public void refused(GatewayFault fault) {
    hop(() -> exchange.answer(Answer.problem(fault)));
  }

  private void hop(Runnable step) {
    try {
      exchange.loop().execute(step);
    } catch (RejectedExecutionException loopIsGone) {
      // and the connection with it: there is no client to answer
    }
  }

  // ---- trying

  private void attempt(Instant now) {
    if (over) {
      return;
    }
    tries++;
    switch (pool.choose(proxy.scope().chance(), failed, fromMachine())) {
      case UpstreamPool.Choice.Chosen(var upstream) -> {
        var next = new UpstreamAttempt(this, upstream, now);
        current = next;
        next.begin();
      }
      case UpstreamPool.Choice.AllResting(Duration rest) ->
          exchange.answer(
              Answer.problem(
                  new GatewayFault.Degraded(
                      "every upstream of " + route.name() + " failed too often",
                      rest,
                      tenant.standing())));
    }
  }

  /** A try ended without the head of an answer. */
  void tryFailed(Upstream upstream, Fault why) {
    current = null;
    failed = failed.isEmpty() ? new HashSet<>() : failed;
    failed.add(upstream);
    // A streamed body that was not asked for yet was not sent: there was no connection.
    boolean repeatable =
        streams ? !bodyBegun : unsent(why) || RetryRule.isIdempotent(exchange.method());
    Duration left = exchange.deadline().remaining(now());
    Optional<Duration> pause =
        proxy.shutdown().value()
            ? Optional.empty()
            : route.retries().pause(tries, repeatable, left, proxy.scope().chance());
    if (pause.isEmpty()) {
      fail(why);
      return;
    }
    proxy.scope().counters().backoffRetries().labelValues("upstream").inc();
    var _ = exchange.loop().schedule(this::attemptNow, pause.get().toNanos(), TimeUnit.NANOSECONDS);
  }

  /** There was no connection, so the upstream has seen nothing of the request. */
  private static boolean unsent(Fault why) {
    return why instanceof ClientFault.NoConnection || why instanceof ClientFault.ConnectTimeout;
  }

  private void fail(Fault why) {
    if (why instanceof ClientFault.ConnectTimeout timeout) {
      exchange.answer(Answer.problem(timeout.refusal()));
    } else {
      failWith(why.detail());
    }
  }

  private void failWith(String why) {
    exchange.answer(
        Answer.problem(new GatewayFault.Upstream(route.name(), why, tenant.standing())));
  }

  // ---- what a try needs

  boolean failedAt(Upstream upstream) {
    return failed.contains(upstream);
  }

  /** Whether the gateway of another machine asks. */
  boolean fromMachine() {
    return proxy.forMachines();
  }

  /** Whether the body is passed on as it comes. */
  boolean streams() {
    return streams;
  }

  RequestKind kind() {
    return RequestKind.of(witness, route.prefix(), exchange.path());
  }

  Proxy proxy() {
    return proxy;
  }

  Exchange exchange() {
    return exchange;
  }

  GatewayRoute route() {
    return route;
  }

  UpstreamPool pool() {
    return pool;
  }

  EventLoop loop() {
    return (EventLoop) exchange.loop();
  }

  byte[] body() {
    return body;
  }

  /** How long the body that goes up is; -1 if only its end will tell. */
  long bodyLength() {
    return !streams ? body.length : bodyDecoded() ? -1 : exchange.head().bodyLength();
  }

  boolean bodyDecoded() {
    return exchange.body().isDecoded();
  }

  /** The request's body, piece by piece, to the try that is under way. */
  void readBody(BodyReader to) {
    bodyBegun = true;
    exchange.body().read(to);
  }

  /**
   * The head of the answer came: from here on it must keep moving, and need not be done by then.
   */
  AnswerStream answering(int status, Headers headers, long length, Instant now) {
    exchange.passOn();
    if (!hurried) {
      exchange.until(new Deadline(now.plus(proxy.idle())));
    }
    AnswerStream begun = exchange.begin(status, headers, length);
    out = begun;
    return begun;
  }

  /** Something moved; a client that set a deadline itself is held to it all the same. */
  void moved() {
    if (!hurried) {
      exchange.until(Deadline.in(proxy.idle(), proxy.scope().time()));
    }
  }

  /** The body cannot become whole, so neither can the request. */
  void bodyFailed(Refusal refusal) {
    giveUp();
    if (out == null) {
      exchange.answer(Answer.problem(refusal));
    } else {
      out.cut();
    }
  }

  /** The client and the upstream talk to each other from now on, until one of them ends. */
  void tunnel(Headers headers, Channel upstream, Runnable settle) {
    tunnelled = true;
    exchange.passOn();
    exchange.upgrade(
        HopHeaders.withUpgrade(headers),
        client -> {
          Signal.Subscription drain =
              proxy
                  .scope()
                  .draining()
                  .subscribe(
                      () -> {
                        var _ = client.close();
                      });
          WebSocketTunnel.between(
              client,
              upstream,
              exchange.attachment(Bearer.class),
              () -> {
                drain.close();
                settle.run();
                left();
              });
        });
  }

  // ---- the end

  private void over() {
    over = true;
    wait.end();
    giveUp();
    if (!tunnelled) {
      left();
    }
    tenant.took(Duration.between(arrived, now()));
  }

  private void giveUp() {
    UpstreamAttempt under = current;
    current = null;
    if (under != null && !tunnelled) {
      under.giveUp(!hurried && exchange.deadline().passed(now()));
    }
  }

  private void left() {
    Admission admission = proxy.admission();
    if (ticket != null) {
      admission.leave(ticket);
    }
    admission.over(tenant);
  }
}
