package dev.ron.http.server.http2;

import dev.ron.http.server.Limits;
import dev.ron.http.server.ServerContext;
import dev.ron.http.server.Timeouts;
import dev.ron.http.server.connection.DrainEvent;
import dev.ron.http.server.connection.EventLoopContext;
import dev.ron.http.server.connection.Stall;
import dev.ron.http.server.connection.TimeoutSweep;
import dev.ron.http.server.connection.WriteStall;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.ReferenceCountUtil;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an HTTP/2 connection does besides its streams: idle and write timeouts, and going away.
 *
 * <p>Threading: owned by its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
public final class Http2Connection extends ChannelInboundHandlerAdapter implements TimeoutSweep {
  /** Enough to keep a connection busy; the server's own limits come after it. */
  private static final int STREAMS_MAX = 256;

  /**
   * Streams that may end early in a window of time, by the peer's reset or by its errors. A browser
   * that leaves a page full of pictures resets about a hundred; more is work for nothing.
   */
  private static final int RESETS_MAX = 200;

  private static final int RESETS_SECONDS = 30;

  private static final ByteBuf PREFACE = Http2CodecUtil.connectionPrefaceBuf();

  private final ServerContext server;
  private final EventLoopContext loop;
  private final Http2FrameCodec codec;
  private final Stall idle = new Stall();
  private final WriteStall writeStall = new WriteStall();
  private @Nullable ChannelHandlerContext context;

  private Http2Connection(ServerContext server, EventLoopContext loop, Http2FrameCodec codec) {
    this.server = server;
    this.loop = loop;
    this.codec = codec;
  }

  /** Makes the rest of a pipeline speak HTTP/2. */
  public static void install(
      ChannelPipeline pipeline, ServerContext server, EventLoopContext loop) {
    Limits limits = server.config().limits();
    Http2FrameCodec codec =
        Http2FrameCodecBuilder.forServer()
            .initialSettings(
                Http2Settings.defaultSettings()
                    .maxConcurrentStreams(STREAMS_MAX)
                    .maxHeaderListSize(limits.headBytesMax()))
            .decoderEnforceMaxRstFramesPerWindow(RESETS_MAX, RESETS_SECONDS)
            .encoderEnforceMaxRstFramesPerWindow(RESETS_MAX, RESETS_SECONDS)
            .gracefulShutdownTimeoutMillis(server.config().timeouts().request().toMillis())
            .build();
    codec.decoder().frameListener(new KnownFrames(codec.decoder().frameListener()));
    var windows = new Http2Windows(codec.connection());
    var streams =
        new ChannelInitializer<Channel>() {
          @Override
          protected void initChannel(Channel channel) {
            channel.pipeline().addLast(new Http2Stream(server, loop, windows));
          }
        };
    pipeline.addLast(
        codec, new Http2MultiplexHandler(streams), new Http2Connection(server, loop, codec));
  }

  /**
   * Ignores frames of unknown types, as the protocol has it. The codec would keep their bytes for
   * the stream that they name, and lose them where it knows none.
   */
  private static final class KnownFrames extends Http2FrameListenerDecorator {
    KnownFrames(Http2FrameListener codec) {
      super(codec);
    }

    @Override
    public void onUnknownFrame(
        ChannelHandlerContext ctx, byte type, int stream, Http2Flags flags, ByteBuf payload) {}
  }

  /** How far the first bytes of a connection are those of HTTP/2. */
  public enum Preface {
    NO,
    /** So far, but there are too few. */
    PERHAPS,
    YES
  }

  public static Preface preface(ByteBuf in) {
    int length = Math.min(in.readableBytes(), PREFACE.readableBytes());
    for (int i = 0; i < length; i++) {
      if (in.getByte(in.readerIndex() + i) != PREFACE.getByte(i)) {
        return Preface.NO;
      }
    }
    return length == PREFACE.readableBytes() ? Preface.YES : Preface.PERHAPS;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    loop.add(this);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ReferenceCountUtil.release(message); // settings, pings: the codec has answered them
  }

  /** No stream is open. */
  public boolean idle() {
    return codec.connection().numActiveStreams() == 0;
  }

  @Override
  public Instant sweep(Instant now) {
    ChannelHandlerContext ctx = context;
    if (ctx == null) {
      return Instant.MAX;
    }
    Timeouts timeouts = server.config().timeouts();
    int streams = codec.connection().numActiveStreams();
    if (streams > 0) {
      idle.clear();
    }
    if (writeStall.longerThan(timeouts.write(), ctx.channel(), now)) {
      server.scope().counters().ioTimeouts().labelValues("write").inc();
      // past the pipeline, because the codec there would wait for its streams
      ctx.channel().unsafe().close(ctx.channel().voidPromise());
    } else if (streams == 0 && idle.longerThan(timeouts.idle(), 0, now)) {
      ctx.close(); // the codec says GOAWAY first
    }
    return writeStall.waits() ? now : idle.due(timeouts.idle());
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event == DrainEvent.NOW || event == ChannelInputShutdownEvent.INSTANCE) {
      ctx.close(); // GOAWAY now, the end when the last stream has ended
    }
    ctx.fireUserEventTriggered(event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    loop.remove(this);
    ctx.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    server.scope().log().debug("connection-failed", "cause", cause);
    if (!(cause instanceof Http2Exception)) {
      ctx.close(); // for its own errors the codec does so, behind a GOAWAY that names them
    }
  }
}
