package dev.ron.http.server.http2;

import dev.ron.http.Headers;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.ServerContext;
import dev.ron.http.server.Timeouts;
import dev.ron.http.server.connection.ConnectionSlot;
import dev.ron.http.server.connection.EventLoopContext;
import dev.ron.http.server.connection.Stall;
import dev.ron.http.server.connection.TimeoutSweep;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.wire.Http2Heads;
import dev.ron.http.wire.PathForm;
import dev.ron.http.wire.RequestHead;
import dev.ron.http.wire.RequestHead.Protocol;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The asking side of one HTTP/2 stream; {@link Http2Wire} is the answering side.
 *
 * <p>Frames are read one at a time when the handler wants them, so an unread body fills the
 * stream's window and the peer stops.
 *
 * <p>Threading: owned by the connection's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class Http2Stream extends ChannelInboundHandlerAdapter implements TimeoutSweep {
  private static final int STEP_BYTES = 64 * 1024;

  private final ServerContext server;
  private final EventLoopContext loop;
  private final Http2Windows windows;
  private final Stall readStall = new Stall();
  private @Nullable ChannelHandlerContext context;
  private @Nullable Http2Wire wire;
  private @Nullable Exchange exchange;
  private boolean isHead;
  private boolean bodyEnded;
  private boolean advancing;
  private long progress;

  /** Once the peer has ended, the codec hands over all the rest at once; the window bounds it. */
  private final ArrayDeque<Object> frames = new ArrayDeque<>(2);

  Http2Stream(ServerContext server, EventLoopContext loop, Http2Windows windows) {
    this.server = server;
    this.loop = loop;
    this.windows = windows;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    wire = new Http2Wire(loop, this, ctx, windows);
    loop.add(this);
    ConnectionSlot.of(ctx.channel()).enter();
    ctx.channel().config().setAutoRead(false);
    ctx.read();
  }

  boolean bodyEnded() {
    return bodyEnded;
  }

  private boolean stopped() {
    return wire != null && wire.stopped();
  }

  /** Hands on what is here; asks the peer only if nothing is. */
  void pull() {
    ChannelHandlerContext ctx = context;
    if (!frames.isEmpty()) {
      advance();
    } else if (ctx != null && !bodyEnded && !stopped()) {
      ctx.read();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    progress++;
    loop.awake();
    frames.add(message);
    advance();
  }

  private void advance() {
    if (advancing) {
      return;
    }
    advancing = true;
    while (!frames.isEmpty() && (exchange == null || exchange.body().wanted())) {
      take(frames.remove());
    }
    advancing = false;
  }

  private void take(Object message) {
    try {
      switch (message) {
        case Http2HeadersFrame frame when exchange == null -> begin(frame);
        case Http2HeadersFrame frame -> trailers(frame);
        case Http2DataFrame frame -> data(frame);
        default -> {} // resets and priorities: the codec has seen to them
      }
    } catch (Refusal refusal) {
      refuse(refusal);
    } finally {
      ReferenceCountUtil.release(message);
    }
    if (frames.isEmpty() && exchange != null && exchange.body().wanted()) {
      pull();
    }
  }

  private void begin(Http2HeadersFrame frame) throws Refusal {
    int fieldsMax = server.config().limits().fieldsMax();
    bodyEnded = frame.isEndStream();
    PathForm paths = server.config().dialect().paths();
    isHead = "HEAD".contentEquals(String.valueOf(frame.headers().method()));
    start(Http2Heads.parse(frame.headers(), frame.isEndStream(), fieldsMax, paths));
  }

  private void start(RequestHead head) {
    Http2Wire answers = wire;
    if (answers == null) {
      return;
    }
    answers.begin(head);
    var next = new Exchange(server, answers, head);
    exchange = next;
    if (bodyEnded) {
      next.body().end(new Headers(1));
    }
    server.dispatch().handle(next);
    if (server.inflight().draining()) {
      answers.channel().parent().close(); // GOAWAY, and the end behind this answer
    }
  }

  private void data(Http2DataFrame frame) {
    Exchange current = exchange;
    if (current == null) {
      return;
    }
    ByteBuf bytes = frame.content();
    if (bytes.isReadable()) {
      current.body().deliver(bytes.retain());
    }
    if (frame.isEndStream() && !bodyEnded) {
      bodyEnded = true;
      current.body().end(new Headers(1));
    }
    Http2Wire answers = wire;
    if (answers != null && !bodyEnded && current.body().discardedBytes() > STEP_BYTES) {
      answers.stopPeer(); // a discarded body is read on only a little, as over HTTP/1.1
    }
  }

  private void trailers(Http2HeadersFrame frame) throws Refusal {
    Exchange current = exchange;
    if (current == null || bodyEnded || !frame.isEndStream()) {
      throw Refusal.malformed("fields in the middle of a body");
    }
    Headers trailers = Http2Heads.trailers(frame.headers(), server.config().limits().fieldsMax());
    bodyEnded = true;
    current.body().end(trailers);
  }

  private void refuse(Refusal refusal) {
    Exchange current = exchange;
    if (current != null) {
      current.body().fail(refusal);
      return;
    }
    Http2Wire answers = wire;
    if (answers != null) {
      var refused = new Exchange(server, answers, RequestHead.unread(Protocol.HTTP_2, isHead));
      exchange = refused;
      server.dispatch().refuse(refused, refusal);
    }
  }

  @Override
  public Instant sweep(Instant now) {
    Exchange current = exchange;
    Http2Wire answers = wire;
    if (current == null || answers == null) {
      return Instant.MAX;
    }
    Timeouts timeouts = server.config().timeouts();
    Instant due = current.sweep(now);
    boolean waitsForBody = !bodyEnded && !answers.stopped() && current.body().wanted();
    if (answers.stalled(timeouts.write(), now)) {
      server.scope().counters().ioTimeouts().labelValues("write").inc();
      answers.cut();
    } else if (waitsForBody && readStall.longerThan(timeouts.read(), progress, now)) {
      slow(current, answers);
    }
    return waitsForBody || answers.waits() ? now : due;
  }

  private void slow(Exchange current, Http2Wire answers) {
    if (current.ended()) {
      answers.stopPeer();
    } else {
      Duration limit = server.config().timeouts().read();
      server.scope().counters().ioTimeouts().labelValues("read").inc();
      current.body().fail(Refusal.of(new HttpFault.SlowSender("the body", limit)));
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (exchange != null && ctx.channel().isWritable()) {
      exchange.writableAgain();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    loop.remove(this);
    ConnectionSlot.of(ctx.channel()).leave();
    frames.forEach(ReferenceCountUtil::release);
    frames.clear();
    if (exchange != null) {
      exchange.lost();
    }
  }

  /**
   * Resets the stream with the error's own code: a plain close would say CANCEL, which the
   * connection's limit on resets does not count, because it is what a server says by its own will.
   */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    server.scope().log().debug("stream-failed", "cause", cause);
    Http2Error error =
        cause instanceof Http2Exception wrong ? wrong.error() : Http2Error.INTERNAL_ERROR;
    ctx.writeAndFlush(new DefaultHttp2ResetFrame(error));
    ctx.close();
  }
}
