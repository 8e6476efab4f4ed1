package dev.ron.http.client;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.wire.Http2Heads;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One call on a shared HTTP/2 connection.
 *
 * <p>Threading: owned by the connection's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class ClientHttp2Stream extends ChannelInboundHandlerAdapter implements ClientWire {
  private static final int FIELDS_MAX = 200;
  private static final int STEP_BYTES = 64 * 1024;

  private final Origin origin;
  private @Nullable ChannelHandlerContext context;
  private @Nullable ClientCall call;
  private AnnouncedBody announced = AnnouncedBody.NOTHING;
  private boolean headSeen;
  private boolean ended;
  private boolean gone;
  private boolean advancing;
  private boolean reading;
  private int queuedBytes;

  /** Once the server has ended, the codec hands over all the rest at once; the window bounds it. */
  private final ArrayDeque<Object> frames = new ArrayDeque<>(2);

  private Headers trailers = new Headers(1);

  ClientHttp2Stream(Origin origin) {
    this.origin = origin;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    ctx.channel().config().setAutoRead(false);
  }

  @Override
  public void start(ClientCall next) {
    call = next;
    announced = AnnouncedBody.of(next.request());
    ClientRequest request = next.request();
    Http2Headers block =
        new DefaultHttp2Headers(true)
            .method(request.method())
            .scheme(origin.scheme() == Origin.Scheme.HTTPS ? "https" : "http")
            .authority(
                Objects.requireNonNullElse(request.headers().first("Host"), origin.authority()))
            .path(request.target());
    add(block, request.headers());
    if (request.announcesLength()) {
      block.addLong("content-length", request.bodyLength());
    }
    boolean whole = !request.streamed();
    boolean bodyless = whole && request.body().length == 0;
    ctx().write(new DefaultHttp2HeadersFrame(block, bodyless));
    if (whole && !bodyless) {
      ctx().write(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(request.body()), true));
    }
    ctx().flush();
    readAhead();
  }

  @Override
  public void write(ByteBuf bytes) {
    if (!announced.takes(bytes.readableBytes())) {
      bytes.release();
      misframed("longer");
      return;
    }
    ctx().writeAndFlush(new DefaultHttp2DataFrame(bytes, false));
  }

  @Override
  public void end(Headers last) {
    if (!announced.ends()) {
      misframed("shorter");
      return;
    }
    if (last.size() == 0) {
      ctx().writeAndFlush(new DefaultHttp2DataFrame(Unpooled.EMPTY_BUFFER, true));
      return;
    }
    var block = new DefaultHttp2Headers(true);
    add(block, last);
    ctx().writeAndFlush(new DefaultHttp2HeadersFrame(block, true));
  }

  /** A server that passes the request on would announce what does not come. */
  private void misframed(String how) {
    ClientCall current = call;
    cut();
    if (current != null) {
      current.fail(new ClientFault.Misframed(how).refusal());
    }
  }

  private static void add(Http2Headers block, Headers headers) {
    headers.forEach(
        (name, value) -> {
          if (!name.equalsIgnoreCase("Host") && !Http2Heads.isConnectionField(name)) {
            block.add(name.toLowerCase(Locale.ROOT), value);
          }
        });
  }

  @Override
  public boolean writable() {
    return ctx().channel().isWritable();
  }

  @Override
  public void pull() {
    if (advancing) {
      return;
    }
    advancing = true;
    ClientCall current = call;
    while (current != null && call == current && current.wanted() && !frames.isEmpty()) {
      Object frame = frames.remove();
      queuedBytes -= bytes(frame);
      take(current, frame);
    }
    advancing = false;
    readAhead();
    if (current == null || call != current || !current.wanted()) {
      return;
    }
    if (ended) {
      call = null;
      if (!announced.ended()) {
        cut(); // the rest of the request is not wanted, and its stream would stay open
      }
      current.ended(trailers);
    } else if (gone) {
      call = null;
      current.fail(new ClientFault.Upstream("the stream ended early").refusal());
    }
  }

  /**
   * Keeps a step's worth at hand before it is asked for. A server that answers early resets the
   * stream right after, and what is still with the codec then is lost.
   */
  private void readAhead() {
    if (!reading && !gone && !ended && queuedBytes < STEP_BYTES) {
      reading = true;
      ctx().read();
    }
  }

  @Override
  public void cut() {
    call = null;
    announced = AnnouncedBody.NOTHING;
    dropFrames();
    ctx().writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
    ctx().close();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ClientCall current = call;
    reading = false;
    if (current == null) {
      ReferenceCountUtil.release(message);
    } else if (!headSeen) {
      take(current, message);
      readAhead();
    } else {
      frames.add(message);
      queuedBytes += bytes(message);
      pull();
    }
  }

  private static int bytes(Object frame) {
    return frame instanceof Http2DataFrame data ? data.content().readableBytes() : 0;
  }

  private void take(ClientCall current, Object message) {
    try {
      if (message instanceof Http2HeadersFrame frame) {
        head(current, frame);
      } else if (message instanceof Http2DataFrame frame) {
        data(current, frame);
      }
    } catch (Refusal refusal) {
      cut();
      String why = "the answer breaks the protocol: " + refusal.fault().detail();
      current.fail(new ClientFault.Upstream(why).refusal());
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void dropFrames() {
    frames.forEach(ReferenceCountUtil::release);
    frames.clear();
  }

  private void head(ClientCall current, Http2HeadersFrame frame) throws Refusal {
    if (headSeen) {
      trailers = Http2Heads.trailers(frame.headers(), FIELDS_MAX);
      ended = true;
    } else {
      int status = Http2Heads.status(frame.headers());
      if (status < 200) {
        current.interim(status, Http2Heads.answer(frame.headers(), FIELDS_MAX));
        return; // the real one follows
      }
      headSeen = true;
      ended = frame.isEndStream();
      current.head(status, Http2Heads.answer(frame.headers(), FIELDS_MAX));
    }
  }

  private void data(ClientCall current, Http2DataFrame frame) {
    ended |= frame.isEndStream();
    if (frame.content().isReadable()) {
      current.piece(frame.content().retain());
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (call != null && ctx.channel().isWritable()) {
      call.becameWritable();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    gone = true;
    ClientCall current = call;
    if (current == null) {
      dropFrames();
    } else if (headSeen) {
      pull(); // what arrived before the end is still the reader's
    } else {
      call = null;
      current.fail(new ClientFault.Upstream("the stream ended early").refusal());
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }

  private ChannelHandlerContext ctx() {
    return Objects.requireNonNull(context);
  }
}
