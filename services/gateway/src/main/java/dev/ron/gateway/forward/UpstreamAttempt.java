package dev.ron.gateway.forward;

import dev.ron.gateway.route.Upstream;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.client.CallSpan;
import dev.ron.http.client.ClientCall;
import dev.ron.http.client.ClientFault;
import dev.ron.http.client.ClientReader;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.field.ProxyFields;
import dev.ron.http.server.exchange.AnswerStream;
import dev.ron.http.server.exchange.BodyReader;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.trace.Span;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One request sent to one upstream, and the answer coming back, each as fast as the slower side
 * takes it.
 *
 * <p>It has no timer of its own: the exchange is swept by its loop, and gives it up when the
 * deadline has passed.
 *
 * <p>Threading: owned by the exchange's event loop.
 */
final class UpstreamAttempt implements ClientReader {
  private static final int CONTINUE = 100;
  private static final int SWITCHING = 101;
  private static final int OVERLOADED = 503;

  private final ProxiedRequest forward;
  private final Upstream upstream;
  private final Instant begun;
  private final Span span;
  private @Nullable ClientCall call;
  private @Nullable AnswerStream out;
  private Headers upgradeHeaders = new Headers(1);
  private boolean settled;
  private boolean bodyEnded;
  private int status;
  private long pieces;

  UpstreamAttempt(ProxiedRequest forward, Upstream upstream, Instant begun) {
    this.forward = forward;
    this.upstream = upstream;
    this.begun = begun;
    Exchange exchange = forward.exchange();
    this.span = CallSpan.of(exchange.span(), exchange.method(), upstream.origin());
  }

  void begin() {
    upstream.began();
    Exchange exchange = forward.exchange();
    var request =
        new ClientRequest(
            exchange.method(),
            upstream.origin(),
            target(),
            headers(),
            forward.bodyLength(),
            forward.body());
    call =
        forward
            .proxy()
            .clients()
            .to(upstream)
            .call(forward.loop(), request.within(span), Deadline.NEVER, this);
  }

  private String target() {
    String target = forward.exchange().head().target();
    String prefix = forward.route().prefix();
    if (!forward.route().stripPrefix() || prefix.length() == 1) {
      return target;
    }
    String rest = target.substring(prefix.length());
    return rest.startsWith("/") ? rest : "/" + rest;
  }

  private Headers headers() {
    Exchange exchange = forward.exchange();
    Headers from = exchange.headers();
    Headers to = HopHeaders.request(from, forward.bodyDecoded());
    to.addParsed("Via", "1.1 ron-gateway");
    String authority = exchange.head().authority();
    if (forward.route().preserveHost() && !authority.isEmpty()) {
      to.addParsed("Host", authority);
    }
    forward.proxy().forwarded().add(to, from, exchange.channel(), authority, forward.fromMachine());
    to.addParsed("X-Corr-ID", exchange.corrId());
    Duration left = exchange.deadline().remaining(begun);
    to.addParsed("Request-Timeout", Math.max(1, left.toMillis()) + "ms");
    return HopHeaders.asksForWebSocket(exchange.head()) ? HopHeaders.withUpgrade(to) : to;
  }

  // ---- the request going up

  @Override
  public void ready() {
    forward.readBody(new Upward());
  }

  @Override
  public void writable() {
    if (!bodyEnded) {
      forward.exchange().body().more();
    }
  }

  /** The request's body, as fast as the upstream takes it. */
  private final class Upward implements BodyReader {
    @Override
    public void piece(ByteBuf bytes) {
      ClientCall to = call;
      if (to == null || settled) {
        bytes.release();
        return;
      }
      to.write(bytes);
      if (to.writable()) {
        forward.exchange().body().more();
      }
    }

    @Override
    public void end(Headers trailers) {
      bodyEnded = true;
      if (call != null) {
        call.end(ProxyFields.trailers(trailers));
      }
    }

    @Override
    public void failed(Refusal refusal) {
      bodyEnded = true;
      forward.bodyFailed(refusal);
    }
  }

  // ---- the answer coming back

  /** 100 is between two neighbours; what else comes first, such as 103, is for the client. */
  @Override
  public void interim(int said, Headers headers) {
    if (said > CONTINUE) {
      forward.exchange().interim(said, HopHeaders.answer(headers));
    }
  }

  @Override
  public void head(int answered, Headers headers) {
    Instant now = forward.proxy().scope().time().now();
    forward.pool().headCame(begun, now);
    status = answered;
    CallSpan.head(span, answered);
    if (answered == SWITCHING) {
      upgradeHeaders = HopHeaders.answer(headers);
      return;
    }
    String length = headers.first("Content-Length");
    AnswerStream to =
        forward.answering(
            answered,
            HopHeaders.answer(headers),
            length == null ? -1 : Long.parseLong(length),
            now);
    out = to;
    to.onWritable(this::more);
    more();
  }

  private void more() {
    if (call != null) {
      call.more();
    }
  }

  @Override
  public void piece(ByteBuf bytes) {
    AnswerStream to = out;
    if (to == null) {
      bytes.release();
      return;
    }
    if (pieces++ > 0) {
      forward.moved(); // the first came with the head
    }
    to.write(bytes);
    if (to.writable()) {
      more();
    }
  }

  @Override
  public void end(Headers trailers) {
    settle(status == OVERLOADED ? Outcome.REFUSED : Outcome.SERVED);
    if (out != null) {
      out.end(ProxyFields.trailers(trailers));
    }
  }

  @Override
  public void failed(Refusal refusal) {
    CallSpan.fail(span, refusal);
    settle(
        switch (refusal.fault()) {
          case ClientFault.Exhausted _, ClientFault.Misframed _ -> Outcome.GIVEN_UP;
          case ClientFault.NoConnection _, ClientFault.ConnectTimeout _ -> Outcome.UNREACHED;
          default -> Outcome.FAILED;
        });
    if (out == null) {
      forward.tryFailed(upstream, refusal.fault());
    } else {
      out.cut(); // the client must see that the answer is not whole
    }
  }

  @Override
  public void upgraded(Channel channel) {
    forward.tunnel(upgradeHeaders, channel, () -> settle(Outcome.SERVED));
  }

  // ---- the end

  private enum Outcome {
    SERVED,
    REFUSED,
    UNREACHED,
    FAILED,
    GIVEN_UP
  }

  /** The exchange is over and this was not: its time was up, or its client left. */
  void giveUp(boolean outOfTime) {
    if (settled) {
      return; // its connection may be another request's by now
    }
    if (call != null) {
      call.cut();
    }
    // A client that is slow to send its body says nothing about the upstream.
    settle(outOfTime && !waitsForClient() ? Outcome.FAILED : Outcome.GIVEN_UP);
  }

  private boolean waitsForClient() {
    return forward.streams() && !bodyEnded;
  }

  private void settle(Outcome outcome) {
    if (settled) {
      return;
    }
    settled = true;
    CallSpan.end(span, status);
    // A request is one piece of evidence, however often it was tried there.
    boolean again = outcome != Outcome.SERVED && forward.failedAt(upstream);
    switch (again ? Outcome.GIVEN_UP : outcome) {
      case SERVED -> upstream.served(forward.kind());
      case REFUSED -> upstream.refused(forward.kind(), begun);
      case UNREACHED -> upstream.unreached(forward.kind(), begun);
      case FAILED -> upstream.failed(forward.kind(), begun);
      case GIVEN_UP -> upstream.givenUp();
    }
    forward.pool().adapt();
  }
}
