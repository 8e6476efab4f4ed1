package dev.ron.http.server.exchange;

import dev.ron.http.CorrelationId;
import dev.ron.http.Headers;
import dev.ron.http.Problem;
import dev.ron.http.Refusal;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.ServerContext;
import dev.ron.http.server.connection.ConnectionSlot;
import dev.ron.http.server.guard.Bearer;
import dev.ron.http.server.route.BoundRoute;
import dev.ron.http.server.route.Route;
import dev.ron.http.wire.NormalPath;
import dev.ron.http.wire.RequestHead;
import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.trace.Span;
import io.netty.channel.Channel;
import io.netty.util.concurrent.EventExecutor;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer.
 *
 * <p>Threading: the request's side is immutable and may be read anywhere; everything that answers
 * is owned by the event loop. A blocking handler answers by returning.
 */
public final class Exchange {
  /** What nginx logs when the client is gone before its answer; it never goes over the wire. */
  private static final int PEER_GONE = 499;

  private final ServerContext server;
  private final ExchangeWire wire;
  private final RequestHead head;
  private final Instant begun;
  private final String corrId;
  private final ExchangeTrace trace;
  private final RequestBody body;
  private final Payer payer;
  private final AnswerOutput output;
  private final TenantStay stay;
  private BoundRoute route;
  private String[] params = {};
  private Deadline deadline = Deadline.NEVER;
  private @Nullable Map<Class<?>, Object> attachments;
  private @Nullable Headers extraHeaders;
  private final ExchangeThreads work = new ExchangeThreads();
  private @Nullable AnswerStream outgoing;
  private @Nullable Runnable whenOver;
  private boolean passedOn;
  private boolean counted;
  private int status;
  private boolean ended;
  private boolean whole;
  private boolean finished;

  public Exchange(ServerContext server, ExchangeWire wire, RequestHead head) {
    this.server = server;
    this.wire = wire;
    this.head = head;
    this.begun = server.time().now();
    this.corrId =
        CorrelationId.takeOrMake(
            head.headers().first(CorrelationId.HEADER), server.time().wall(), server.secrets());
    this.trace = ExchangeTrace.begin(server.scope().tracer(), head.headers());
    this.route = server.routes().unmatched();
    this.body = new RequestBody(this, wire, server.config().limits().bodyBytesMax());
    this.payer = new Payer(server.scope().meter());
    this.output = new AnswerOutput(this, wire);
    this.stay = new TenantStay(server, wire);
  }

  // ---- the request

  public RequestHead head() {
    return head;
  }

  /** When its head had arrived. */
  public Instant begun() {
    return begun;
  }

  public String method() {
    return head.method();
  }

  public String path() {
    return head.path();
  }

  public Headers headers() {
    return head.headers();
  }

  /** The value in the place of {@code {name}} in the route's path, with its escapes undone. */
  public String param(String name) throws Refusal {
    return NormalPath.unescaped(params[route.route().pattern().indexOf(name)]);
  }

  public Query query() throws Refusal {
    return Query.parse(head.query());
  }

  public RequestBody body() {
    return body;
  }

  public Route route() {
    return route.route();
  }

  public String corrId() {
    return corrId;
  }

  /** The request's place in its trace: of the door's own span, or as it came. */
  public @Nullable String traceparent() {
    return trace.traceparent();
  }

  /** What a trace tells of this request; current where a blocking handler runs. */
  public Span span() {
    return trace.span();
  }

  public Deadline deadline() {
    return deadline;
  }

  public SocketAddress peer() {
    return wire.channel().remoteAddress();
  }

  /** The certificate that the peer has shown; empty where none is asked for. */
  public Optional<X509Certificate> certificate() {
    return PeerCertificate.of(wire.channel());
  }

  /** The event loop this exchange lives on, for an inline handler that answers later. */
  public EventExecutor loop() {
    return wire.loop().executor();
  }

  /** The connection, or the stream of an HTTP/2 connection; for its allocator and event loop. */
  public Channel channel() {
    return wire.channel();
  }

  /**
   * Counts a refusal whose answer is not a problem, such as one entry of a batch; on any thread.
   *
   * @param refusal with the status it would have had alone
   */
  public void refused(Refusal refusal) {
    server.rejected(new Problem(refusal.status(), refusal.fault(), corrId), route);
  }

  /** Leaves something for the handler, such as the tenant a guard found. */
  public <T> void put(Class<T> kind, T value) {
    attachments = attachments == null ? new HashMap<>(4) : attachments;
    attachments.put(kind, value);
  }

  /**
   * Who is charged for this request; the guard that finds the tenant says it. Bound as the current
   * one where a blocking handler runs.
   */
  public Payer payer() {
    return payer;
  }

  /**
   * Holds the caller, who is known now, to the limits of its tenant; by the server after its guard,
   * or by a handler that checks callers itself, on its thread.
   *
   * @return null if it is let in; it has a place among its tenant's until it is over
   */
  public @Nullable Refusal enter() {
    return stay.enter(payer, Math.max(0, head.bodyLength()), body.bytes());
  }

  TenantStay stay() {
    return stay;
  }

  public <T> @Nullable T attachment(Class<T> kind) {
    return attachments == null ? null : kind.cast(attachments.get(kind));
  }

  // ---- for an inline handler that answers later, on the event loop

  /** Another deadline than the server's; the route behind a proxy knows a better one. */
  public void until(Deadline other) {
    deadline = other;
    wire.loop().awake();
  }

  /**
   * Runs {@code last} once, when the answer is out or the client is gone; at once if that has
   * happened. A task that works for this exchange elsewhere stops there.
   */
  public void whenOver(Runnable last) {
    if (ended) {
      last.run();
    } else {
      whenOver = last;
    }
  }

  /**
   * The answer is another server's: that server sets the fields for browsers, and waits for this
   * peer.
   */
  public void passOn() {
    passedOn = true;
    ConnectionSlot.of(channel()).relays();
  }

  // ---- the answer, on the event loop

  /** Answers the request; a second answer is dropped, because the first one was a timeout. */
  public void answer(Answer answer) {
    if (status != 0 || ended) {
      answer.abandon();
      return;
    }
    switch (answer.body()) {
      case Body.Bytes(byte[] bytes) -> {
        status = answer.status();
        output.whole(status, answer.headers(), bytes);
        answerEnded();
      }
      case Body.Trailed trailed -> {
        status = answer.status();
        output.trailed(status, answer.headers(), trailed);
        answerEnded();
      }
      case Body.Refused(Fault fault) -> refuse(answer, fault);
      case Body.Unsent unsent -> AnswerBodies.unsent(this, answer, unsent);
      case Body.Region region -> AnswerBodies.regions(this, wire, answer, List.of(region));
      case Body.Regions(List<Body.Region> parts) -> AnswerBodies.regions(this, wire, answer, parts);
      case Body.Stream _ -> AnswerBodies.stream(this, answer);
    }
  }

  /**
   * Passes on a head that comes before the answer, such as 103; not to a peer that speaks HTTP/1.0
   * or does not read, for which it would take memory, and not once the answer has begun.
   */
  public void interim(int interimStatus, Headers headers) {
    if (interimStatus < 102 || interimStatus > 199) {
      throw new IllegalArgumentException("interim status = " + interimStatus);
    }
    boolean heard = head.protocol() != RequestHead.Protocol.HTTP_1_0 && wire.writable();
    if (status == 0 && !ended && heard) {
      wire.interim(interimStatus, headers);
    }
  }

  /** Continues on a virtual thread, for an inline handler that finds that it would have to wait. */
  public void block(Blocking handler) {
    new BlockingCall(this, () -> handler.handle(this)).start();
  }

  /** Begins an answer whose body comes later; length -1 if only its end will tell. */
  public AnswerStream begin(int answerStatus, Headers headers, long length) {
    sendHead(answerStatus, headers, length);
    outgoing = new AnswerStream(this, wire);
    return outgoing;
  }

  /** Answers 101 and hands the raw connection to {@code taker}; HTTP/1.1 only. */
  public void upgrade(Headers headers, Consumer<Channel> taker) {
    if (status != 0) {
      throw new IllegalStateException("answered already with " + status);
    }
    status = 101;
    wire.upgrade(this, headers, taker);
    answerEnded();
  }

  private void refuse(Answer answer, Fault fault) {
    var problem = new Problem(answer.status(), fault, corrId);
    server.rejected(problem, route);
    answer(AnswerBodies.refused(this, answer.headers(), problem));
  }

  void sendHead(int answerStatus, Headers headers, long length) {
    if (status != 0) {
      throw new IllegalStateException("answered already with " + status);
    }
    status = answerStatus;
    wire.head(this, status, headers, length);
  }

  void sendFiles(int answerStatus, Headers headers, List<Body.Region> parts) {
    status = answerStatus;
    output.files(status, headers, parts);
  }

  AnswerOutput output() {
    return output;
  }

  /** So many bytes of the answer's body go out. */
  void sent(long bytes) {
    stay.sent(bytes);
  }

  /** So many bytes of the request's body have come. */
  void received(int bytes) {
    stay.received(bytes);
  }

  /** The bytes of the body that went out, also of an answer that was cut. */
  public long sentBytes() {
    return output.sentBytes();
  }

  /** Whether the answer went out to its end. */
  public boolean isWhole() {
    return whole;
  }

  void endAnswer(@Nullable Headers trailers) {
    if (!ended) {
      wire.end(trailers);
      answerEnded();
    }
  }

  void cut() {
    if (!ended) {
      wire.cut();
    }
  }

  private void answerEnded() {
    ended = true;
    whole = true;
    body.discard();
    over();
    maybeFinish();
    wire.answered();
  }

  // ---- its life, on the event loop

  public void routed(BoundRoute bound, String[] values) {
    route = bound;
    params = values;
    body.bytesMax(bound.route().bodyCapOr(server.config().limits().bodyBytesMax()));
  }

  /** Whether the drain waits for this request. */
  public void counted(boolean isCounted) {
    counted = isCounted;
  }

  public boolean counted() {
    return counted;
  }

  public void deadline(Deadline until) {
    until(until);
  }

  public ExchangeThreads work() {
    return work;
  }

  public void extraHeaders(Headers extra) {
    extraHeaders = extra;
  }

  @Nullable public Headers extraHeaders() {
    return extraHeaders;
  }

  void workDone() {
    work.ended();
    maybeFinish();
  }

  public boolean answered() {
    return status != 0;
  }

  public boolean ended() {
    return ended;
  }

  public ExchangeWire wire() {
    return wire;
  }

  public ServerContext server() {
    return server;
  }

  public SecurityHeaders securityHeaders() {
    return passedOn || route.route().terms().relays()
        ? server.relayedHeaders()
        : server.securityHeaders();
  }

  public BoundRoute boundRoute() {
    return route;
  }

  public void writableAgain() {
    if (outgoing != null && !ended) {
      outgoing.writableAgain();
    }
  }

  /**
   * The tick: cancels what outlived its deadline, its capability or the drain's time; answers when
   * to look again.
   */
  public Instant sweep(Instant now) {
    if (ended) {
      return Instant.MAX;
    }
    Bearer bearer = attachment(Bearer.class);
    Refusal revoked = bearer == null ? null : bearer.overdue(now);
    if (counted && server.inflight().cutting()) {
      stop(Refusal.of(new KernelFault.Draining(server.scope().service())));
    } else if (revoked != null) {
      stop(revoked);
    } else if (deadline.passed(now)) {
      server.scope().counters().ioTimeouts().labelValues(route.route().op()).inc();
      Duration limit = Duration.between(begun, deadline.at());
      stop(Refusal.of(new KernelFault.Timeout(route.route().op(), limit)));
    } else {
      return deadline.at();
    }
    return Instant.MAX;
  }

  /** The thread that works for this one does not come back from where it is. */
  void stuck(Duration after) {
    if (!ended) {
      stop(Refusal.of(new KernelFault.Timeout(route.route().op(), after)));
    }
  }

  private void stop(Refusal why) {
    work.cancel();
    if (answered()) {
      cut();
    } else {
      answer(Answer.problem(why));
    }
  }

  /** The peer is gone. */
  public void lost() {
    work.cancel();
    if (!ended) {
      ended = true;
      status = status == 0 ? PEER_GONE : status;
      body.fail(Refusal.malformed("the peer closed the connection"));
      body.discard();
      over();
      maybeFinish();
    }
  }

  private void over() {
    Runnable last = whenOver;
    whenOver = null;
    if (last != null) {
      last.run();
    }
    server.over(this, status);
  }

  private void maybeFinish() {
    if (!ended || work.isRunning() || finished) {
      return;
    }
    finished = true;
    work.letGo();
    stay.leave();
    server.finished(this, status, Duration.between(begun, server.time().now()));
  }
}
