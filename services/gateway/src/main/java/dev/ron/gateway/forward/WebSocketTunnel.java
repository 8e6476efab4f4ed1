package dev.ron.gateway.forward;

import dev.ron.http.server.guard.Bearer;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.timeout.IdleStateEvent;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a WebSocket: raw bytes to the other connection, as fast as it takes them.
 *
 * <p>Both ends live on one event loop. When one ends, the other is closed behind what it was still
 * sent; when nothing moves either way for the idle time, both are.
 *
 * <p>Threading: owned by the event loop of both connections.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class WebSocketTunnel extends ChannelInboundHandlerAdapter {
  /** How soon a capability's end closes it. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  private final Channel other;
  private final Runnable whenOver;

  private WebSocketTunnel(Channel other, Runnable whenOver) {
    this.other = other;
    this.whenOver = whenOver;
  }

  /**
   * @param bearer what opened it, and closes it with its end; null if nothing had to be shown
   * @param whenOver runs once, when the first of the two has ended
   */
  static void between(
      Channel client, Channel upstream, @Nullable Bearer bearer, Runnable whenOver) {
    var once = new Once(whenOver);
    client.pipeline().addLast(new WebSocketTunnel(upstream, once));
    upstream.pipeline().addLast(new WebSocketTunnel(client, once));
    upstream.config().setAutoRead(true);
    if (!client.isActive()) {
      upstream.close();
    }
    if (bearer != null) {
      watch(client, bearer);
    }
  }

  private static void watch(Channel client, Bearer bearer) {
    Future<?> watch =
        client
            .eventLoop()
            .scheduleAtFixedRate(
                () -> {
                  if (bearer.ended() != null) {
                    client.close();
                  }
                },
                LOOK_EVERY.toNanos(),
                LOOK_EVERY.toNanos(),
                TimeUnit.NANOSECONDS);
    client.closeFuture().addListener(_ -> watch.cancel(false));
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
