package dev.ron.gateway.api;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.timeout.IdleStateEvent;

/**
 * One direction of a WebSocket: raw bytes to the other connection, as fast as it takes them.
 *
 * <p>Both ends live on one event loop. When one ends, the other is closed behind what it was still
 * sent; when nothing moves either way for the idle time, both are.
 *
 * <p>Threading: owned by the event loop of both connections.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class Tunnel extends ChannelInboundHandlerAdapter {
  private final Channel other;
  private final Runnable whenOver;

  private Tunnel(Channel other, Runnable whenOver) {
    this.other = other;
    this.whenOver = whenOver;
  }

  /**
   * @param whenOver runs once, when the first of the two has ended
   */
  static void between(Channel client, Channel upstream, Runnable whenOver) {
    var once = new Once(whenOver);
    client.pipeline().addLast(new Tunnel(upstream, once));
    upstream.pipeline().addLast(new Tunnel(client, once));
    upstream.config().setAutoRead(true);
    if (!client.isActive()) {
      upstream.close();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    other.write(message);
    if (!other.isWritable()) {
      ctx.channel().config().setAutoRead(false);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    other.flush();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    other.config().setAutoRead(ctx.channel().isWritable());
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    closeBehind();
    whenOver.run();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof IdleStateEvent) {
      ctx.close();
    } else if (event == ChannelInputShutdownEvent.INSTANCE) {
      closeBehind();
    }
  }

  private void closeBehind() {
    if (other.isActive()) {
      other.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }

  /** Runs the first time only. */
  private static final class Once implements Runnable {
    private final Runnable step;
    private boolean ran;

    Once(Runnable step) {
      this.step = step;
    }

    @Override
    public void run() {
      if (!ran) {
        ran = true;
        step.run();
      }
    }
  }
}
