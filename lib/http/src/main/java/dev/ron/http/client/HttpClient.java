package dev.ron.http.client;

import dev.ron.http.Refusal;
import dev.ron.http.tls.PeerTls;
import dev.ron.http.tls.PinnedCertificates;
import dev.ron.kernel.Scope;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.trace.Span;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Sends requests to other servers, over connections that are kept and shared.
 *
 * <p>{@link #send} is for virtual threads: plain blocking code under a deadline. {@link #call} is
 * for event loops: the call stays on the loop it was made on, which for a proxy is the loop of the
 * request it serves.
 *
 * <p>Threading: thread-safe.
 */
public final class HttpClient implements AutoCloseable {
  private static final Duration LETTING_GO = Duration.ofSeconds(2);

  /** No limit but the deadline. */
  private static final Duration PATIENT = Duration.ofDays(3650);

  private final Scope scope;
  private final HttpClientConfig config;
  private final Dialer dialer;
  private final EventLoopGroup loops;
  private final Map<EventLoop, ConnectionPool> pools = new ConcurrentHashMap<>();

  public HttpClient(Scope scope, HttpClientConfig config) throws IOException {
    this(scope, config, tls(config).build());
  }

  /** Trusts the pinned certificates under any name, and others if those do. */
  public HttpClient(Scope scope, HttpClientConfig config, PinnedCertificates pinned)
      throws IOException {
    this(scope, config, tls(config).trustManager(pinned).build());
  }

  /** Shows a certificate, and trusts the peers' authority alone. */
  public HttpClient(Scope scope, HttpClientConfig config, PeerTls peers) throws IOException {
    this(scope, config, peers.client());
  }

  private HttpClient(Scope scope, HttpClientConfig config, SslContext tls) {
    this.scope = scope;
    this.config = config;
    this.dialer = new Dialer(config, tls, scope);
    this.loops =
        new MultiThreadIoEventLoopGroup(
            config.loops(),
            new DefaultThreadFactory(scope.service() + "/http-client", true),
            config.transport().ioHandlers());
  }

  private static SslContextBuilder tls(HttpClientConfig config) {
    // The JDK's provider: its trust store and name checks are the ones operators know.
    var builder =
        SslContextBuilder.forClient()
            .sslProvider(SslProvider.JDK)
            .protocols("TLSv1.3", "TLSv1.2")
            .applicationProtocolConfig(
                new ApplicationProtocolConfig(
                    Protocol.ALPN,
                    SelectorFailureBehavior.NO_ADVERTISE,
                    SelectedListenerFailureBehavior.ACCEPT,
                    ApplicationProtocolNames.HTTP_2,
                    ApplicationProtocolNames.HTTP_1_1));
    config.trusted().ifPresent(file -> builder.trustManager(file.toFile()));
    return builder;
  }

  /**
   * Sends the request and waits for the head of the answer; the body is read from it.
   *
   * @throws Refusal if there is no answer, with the fault that says why
   */
  public ClientAnswer send(ClientRequest request, Deadline deadline)
      throws IOException, InterruptedException {
    return send(request, deadline, PATIENT, ClientAnswer.InterimListener.NONE);
  }

  /**
   * Like {@link #send(ClientRequest, Deadline)}, for answers that may take long as long as they
   * move.
   *
   * @param stall how long the server may be silent, before its head and between two pieces
   */
  public ClientAnswer send(
      ClientRequest request,
      Deadline deadline,
      Duration stall,
      ClientAnswer.InterimListener interims)
      throws IOException, InterruptedException {
    return begun(request, deadline, stall, interims).awaitHead();
  }

  /** On a loop of the client's own, as a part of the trace of the current request. */
  private ClientAnswer begun(
      ClientRequest request,
      Deadline deadline,
      Duration stall,
      ClientAnswer.InterimListener interims) {
    Deadline until = deadline.earlier(Deadline.current());
    Span span = CallSpan.of(Span.current(), request.method(), request.origin());
    ClientRequest traced = request.within(span);
    var answer = new ClientAnswer(scope.time(), until, stall, interims, span);
    EventLoop loop = loops.next();
    loop.execute(() -> answer.begun(call(loop, traced, until, answer)));
    return answer;
  }

  /** Like {@link #send(ClientRequest, Deadline)}, with a body that is read while it is sent. */
  public ClientAnswer send(ClientRequest request, InputStream body, Deadline deadline)
      throws IOException, InterruptedException {
    return send(request, body, deadline, PATIENT);
  }

  /**
   * Like {@link #send(ClientRequest, InputStream, Deadline)}, for a server that may not be silent.
   *
   * @param stall how long it may take no bytes, wait with its head, or pause in its answer
   */
  public ClientAnswer send(
      ClientRequest request, InputStream body, Deadline deadline, Duration stall)
      throws IOException, InterruptedException {
    if (!request.streamed()) {
      throw new IllegalArgumentException("the request has its body in memory");
    }
    ClientAnswer answer = begun(request, deadline, stall, ClientAnswer.InterimListener.NONE);
    try {
      answer.upload(body);
    } catch (IOException | RuntimeException unread) {
      answer.close(); // what was begun cannot become whole
      throw unread;
    }
    return answer.awaitHead();
  }

  /** Asks on an event loop, and tells the reader what comes back; to be called on that loop. */
  public ClientCall call(
      EventLoop loop, ClientRequest request, Deadline deadline, ClientReader reader) {
    var call = new ClientCall(request, reader, loop);
    if (!deadline.equals(
        Deadline.NEVER)) { // a caller that sweeps by itself need not pay for a clock
      Duration left = deadline.remaining(scope.time().now());
      if (left.isZero()) {
        call.fail(Refusal.of(new KernelFault.Timeout("asking " + request.origin().host(), left)));
        return call;
      }
      call.timeOutAfter(left);
    }
    pools.computeIfAbsent(loop, one -> new ConnectionPool(one, config, dialer)).take(call);
    return call;
  }

  @Override
  public void close() {
    loops.shutdownGracefully(0, LETTING_GO.toMillis(), TimeUnit.MILLISECONDS).syncUninterruptibly();
  }
}
