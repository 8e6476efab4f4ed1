package dev.ron.http.server;

import dev.ron.http.Headers;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.wire.Http2Heads;
import dev.ron.http.wire.RequestHead;
import dev.ron.http.wire.RequestHead.Protocol;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.ReferenceCountUtil;
import java.time.Instant;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The asking side of one HTTP/2 stream; {@link Http2Wire} is the answering side.
 *
 * <p>Frames are read one at a time when somebody wants them, so an unread body fills the stream's
 * window and the peer stops.
 *
 * <p>Threading: owned by the connection's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class Http2Stream extends ChannelInboundHandlerAdapter implements Swept {
  private final ServerContext server;
  private final Loop loop;
  private final Stall readStall = new Stall();
  private @Nullable ChannelHandlerContext context;
  private @Nullable Http2Wire wire;
  private @Nullable Exchange exchange;
  private boolean bodyEnded;
  private boolean advancing;
  private long progress;

  /** Once the peer has ended, the codec hands over all the rest at once; the window bounds it. */
  private final ArrayDeque<Object> frames = new ArrayDeque<>(2);

  Http2Stream(ServerContext server, Loop loop) {
    this.server = server;
    this.loop = loop;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    wire = new Http2Wire(loop, this, ctx);
    loop.add(this);
    ctx.channel().config().setAutoRead(false);
    ctx.read();
  }

  boolean bodyEnded() {
    return bodyEnded;
  }

  /** Hands on what is here; asks the peer only if nothing is. */
  void pull() {
    ChannelHandlerContext ctx = context;
    if (!frames.isEmpty()) {
      advance();
    } else if (ctx != null && !bodyEnded) {
      ctx.read();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    progress++;
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
    start(Http2Heads.parse(frame.headers(), frame.isEndStream(), fieldsMax));
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
      var refused = new Exchange(server, answers, RequestHead.unread(Protocol.HTTP_2));
      exchange = refused;
      server.dispatch().refuse(refused, refusal);
    }
  }

  @Override
  public void sweep(Instant now) {
    Exchange current = exchange;
    Http2Wire answers = wire;
    if (current == null || answers == null) {
      return;
    }
    Timeouts timeouts = server.config().timeouts();
    current.sweep(now);
    if (answers.stalled(timeouts.write(), now)) {
      server.scope().counters().ioTimeouts().labelValues("write").inc();
      answers.cut();
    } else if (!bodyEnded
        && current.body().wanted()
        && readStall.longerThan(timeouts.read(), progress, now)) {
      server.scope().counters().ioTimeouts().labelValues("read").inc();
      current.body().fail(Refusal.of(new HttpFault.SlowSender("the body", timeouts.read())));
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
    frames.forEach(ReferenceCountUtil::release);
    frames.clear();
    if (exchange != null) {
      exchange.lost();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    server.scope().log().debug("stream-failed", "cause", cause);
    ctx.close();
  }
}
