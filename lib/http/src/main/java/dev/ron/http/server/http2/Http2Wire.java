package dev.ron.http.server.http2;

import dev.ron.http.Headers;
import dev.ron.http.server.connection.EventLoopContext;
import dev.ron.http.server.connection.Stall;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.exchange.ExchangeWire;
import dev.ron.http.wire.Http2Heads;
import dev.ron.http.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2StreamChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The answering side of one HTTP/2 stream.
 *
 * <p>Threading: owned by the connection's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class Http2Wire implements ExchangeWire {
  /** What a frame holds at most unless the peer asks for more: each that leaves is progress. */
  private static final int PIECE_BYTES_MAX = 16 * 1024;

  private final EventLoopContext loop;
  private final Http2Stream stream;
  private final ChannelHandlerContext ctx;
  private final Http2Windows windows;
  private final Stall writeStall = new Stall();
  private boolean continueOwed;
  private boolean bodyless;
  private boolean stopped;
  private @Nullable ChannelFuture last;
  private long remaining;
  private long waiting;
  private long taken;

  Http2Wire(
      EventLoopContext loop, Http2Stream stream, ChannelHandlerContext ctx, Http2Windows windows) {
    this.loop = loop;
    this.stream = stream;
    this.ctx = ctx;
    this.windows = windows;
  }

  void begin(RequestHead head) {
    continueOwed =
        head.hasBody() && "100-continue".equalsIgnoreCase(head.headers().first("Expect"));
  }

  /**
   * True if bytes have waited for that long for the peer to open a window. What a window has let go
   * waits for the socket, which the connection watches for all its streams.
   */
  boolean stalled(Duration limit, Instant now) {
    if (waiting == 0 || windows.open(((Http2StreamChannel) ctx.channel()).stream().id())) {
      writeStall.clear();
      return false;
    }
    return writeStall.longerThan(limit, taken, now);
  }

  /** Bytes wait for the peer. */
  boolean waits() {
    return waiting > 0;
  }

  @Override
  public EventLoopContext loop() {
    return loop;
  }

  @Override
  public Channel channel() {
    return ctx.channel();
  }

  @Override
  public void pull() {
    if (continueOwed) {
      continueOwed = false;
      ctx.writeAndFlush(
          new DefaultHttp2HeadersFrame(new DefaultHttp2Headers(false).status("100"), false));
    }
    loop.awake();
    stream.pull();
  }

  @Override
  public void whole(Exchange exchange, int status, Headers headers, byte[] body) {
    boolean silent =
        body.length == 0 || exchange.method().equals("HEAD") || status == 304 || status == 204;
    long length = status == 304 && body.length == 0 ? -1 : body.length;
    ChannelFuture last =
        ctx.write(new DefaultHttp2HeadersFrame(block(exchange, status, headers, length), silent));
    if (!silent) {
      last = watched(Unpooled.wrappedBuffer(body), true);
    }
    ctx.flush();
    sentLast(last);
  }

  @Override
  public void trailed(Exchange exchange, int status, Headers headers, Body.Trailed body) {
    ctx.write(new DefaultHttp2HeadersFrame(block(exchange, status, headers, -1), false));
    watched(Unpooled.wrappedBuffer(body.bytes()), false);
    var last = new DefaultHttp2Headers(false);
    add(last, body.trailers());
    ChannelFuture sent = ctx.write(new DefaultHttp2HeadersFrame(last, true));
    ctx.flush();
    sentLast(sent);
  }

  @Override
  public void interim(int status, Headers headers) {
    var block = new DefaultHttp2Headers(false).status(Integer.toString(status));
    add(block, headers);
    ctx.writeAndFlush(new DefaultHttp2HeadersFrame(block, false));
  }

  @Override
  public void head(Exchange exchange, int status, Headers headers, long length) {
    bodyless = exchange.method().equals("HEAD") || status == 304 || status == 204;
    remaining = length;
    ctx.writeAndFlush(
        new DefaultHttp2HeadersFrame(block(exchange, status, headers, length), false));
  }

  @Override
  public ChannelFuture data(ByteBuf bytes) {
    int length = bytes.readableBytes();
    if (bodyless || length == 0) {
      bytes.release();
      return ctx.newSucceededFuture();
    }
    if (remaining >= 0 && length > remaining) {
      bytes.release();
      cut(); // below zero the length would count as unknown, and the rest would pass
      return ctx.newFailedFuture(new IllegalStateException("more body than Content-Length"));
    }
    remaining -= remaining >= 0 ? length : 0;
    ChannelFuture sent = watched(bytes, false);
    ctx.flush();
    return sent;
  }

  private ChannelFuture watched(ByteBuf bytes, boolean last) {
    loop.awake();
    while (bytes.readableBytes() > PIECE_BYTES_MAX) {
      piece(bytes.readRetainedSlice(PIECE_BYTES_MAX), false);
    }
    return piece(bytes, last);
  }

  private ChannelFuture piece(ByteBuf bytes, boolean last) {
    int length = bytes.readableBytes();
    waiting += length;
    return ctx.write(new DefaultHttp2DataFrame(bytes, last))
        .addListener(
            _ -> {
              waiting -= length;
              taken++;
            });
  }

  @Override
  public boolean sendsFiles() {
    return false;
  }

  @Override
  public void files(Exchange exchange, int status, Headers headers, List<Body.Region> parts) {
    throw new IllegalStateException("a file cannot be sent inside frames");
  }

  @Override
  public void end(@Nullable Headers trailers) {
    if (!bodyless && remaining > 0) {
      cut();
      return;
    }
    if (trailers == null || trailers.size() == 0) {
      sentLast(ctx.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.EMPTY_BUFFER, true)));
    } else {
      var block = new DefaultHttp2Headers(false);
      add(block, trailers);
      sentLast(ctx.writeAndFlush(new DefaultHttp2HeadersFrame(block, true)));
    }
  }

  private void sentLast(ChannelFuture sent) {
    last = sent;
  }

  /**
   * A peer that is still sending may stop, and that is no error. Not before the answer is out,
   * whole: a reset throws away what waits for the peer's window.
   */
  void stopPeer() {
    ChannelFuture sent = last;
    if (!stopped && sent != null) {
      stopped = true;
      sent.addListener(_ -> ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.NO_ERROR)));
    }
  }

  boolean stopped() {
    return stopped;
  }

  @Override
  public void cut() {
    ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
    ctx.close();
  }

  @Override
  public boolean writable() {
    return ctx.channel().isWritable();
  }

  @Override
  public void answered() {
    if (continueOwed && !stream.bodyEnded()) {
      stopPeer(); // it waits to be told to go on, and will not be
    } else {
      stream.pull(); // some clients drop an answer whose stream is reset before their body is out
    }
  }

  @Override
  public void closeAfterAnswer() {
    // a stream ends by itself; its connection is not harmed by what went wrong inside
  }

  @Override
  public void upgrade(Exchange exchange, Headers headers, Consumer<Channel> taker) {
    throw new IllegalStateException("an HTTP/2 stream cannot be upgraded");
  }

  private Http2Headers block(Exchange exchange, int status, Headers headers, long length) {
    var block = new DefaultHttp2Headers(false, 16);
    block.status(Integer.toString(status));
    if (!headers.has("Date")) { // a relayed answer keeps the moment it was made
      block.add("date", loop.dateText());
    }
    add(block, exchange.securityHeaders().besides(headers));
    block.add("x-corr-id", exchange.corrId());
    String trace = exchange.traceparent();
    if (trace != null) {
      block.add("traceparent", trace);
    }
    add(block, headers);
    Headers extra = exchange.extraHeaders();
    if (extra != null) {
      add(block, extra);
    }
    if (length >= 0 && status != 204) { // peers take it for an error there (RFC 9110, 8.6)
      block.addLong("content-length", length);
    }
    return block;
  }

  private static void add(Http2Headers block, Headers headers) {
    headers.forEach(
        (name, value) -> {
          if (!Http2Heads.isConnectionField(name)) {
            block.add(name.toLowerCase(Locale.ROOT), value);
          }
        });
  }
}
