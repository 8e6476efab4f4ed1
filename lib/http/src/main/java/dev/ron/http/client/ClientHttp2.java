package dev.ron.http.client;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;

/**
 * The client side of an HTTP/2 connection; many calls share it.
 *
 * <p>Threading: owned by its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class ClientHttp2 extends ChannelInboundHandlerAdapter {
  private final ConnectionPool pool;
  private final Origin origin;
  private final Channel channel;
  private final Http2FrameCodec codec;
  private boolean goingAway;

  private ClientHttp2(ConnectionPool pool, Origin origin, Channel channel, Http2FrameCodec codec) {
    this.pool = pool;
    this.origin = origin;
    this.channel = channel;
    this.codec = codec;
  }

  static ClientHttp2 install(Channel channel, ConnectionPool pool, Origin origin) {
    Http2FrameCodec codec =
        Http2FrameCodecBuilder.forClient()
            .initialSettings(Http2Settings.defaultSettings().pushEnabled(false))
            .build();
    var refusesPush =
        new ChannelInboundHandlerAdapter() {
          @Override
          public void handlerAdded(ChannelHandlerContext ctx) {
            ctx.close();
          }

          @Override
          public boolean isSharable() {
            return true;
          }
        };
    var connection = new ClientHttp2(pool, origin, channel, codec);
    channel.pipeline().addLast(codec, new Http2MultiplexHandler(refusesPush), connection);
    return connection;
  }

  /** May take another call: open, not going away, and below what the server allows at once. */
  boolean alive() {
    return channel.isActive() && !goingAway && codec.connection().local().canOpenStream();
  }

  void begin(ClientCall call) {
    var stream = new ClientHttp2Stream(origin);
    new Http2StreamChannelBootstrap(channel)
        .handler(stream)
        .open()
        .addListener(
            opened -> {
              if (opened.isSuccess()) {
                if (call.over()) {
                  ((Http2StreamChannel) opened.getNow()).close();
                } else {
                  call.connected(stream);
                }
              } else {
                call.fail(new ClientFault.Upstream("no stream could be opened").refusal());
              }
            });
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    goingAway |= message instanceof Http2GoAwayFrame;
    ReferenceCountUtil.release(message);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof IdleStateEvent && codec.connection().numActiveStreams() == 0) {
      ctx.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    pool.left(origin, this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    goingAway = true;
    ctx.close();
  }
}
