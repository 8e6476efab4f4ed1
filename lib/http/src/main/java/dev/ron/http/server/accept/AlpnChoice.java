package dev.ron.http.server.accept;

import dev.ron.http.server.ServerContext;
import dev.ron.http.server.connection.EventLoopContext;
import dev.ron.http.server.http1.Http1Connection;
import dev.ron.http.server.http2.Http2Connection;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;

/**
 * Gives a TLS connection the protocol both sides agreed on in the handshake.
 *
 * <p>Threading: owned by its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class AlpnChoice extends ApplicationProtocolNegotiationHandler {
  private final ServerContext server;
  private final EventLoopContext loop;

  AlpnChoice(ServerContext server, EventLoopContext loop) {
    super(ApplicationProtocolNames.HTTP_1_1);
    this.server = server;
    this.loop = loop;
  }

  @Override
  protected void configurePipeline(ChannelHandlerContext ctx, String protocol) {
    if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
      Http2Connection.install(ctx.pipeline(), server, loop);
    } else {
      ctx.pipeline().addLast(new Http1Connection(server, loop, ctx.channel(), false));
    }
  }

  @Override
  protected void handshakeFailure(ChannelHandlerContext ctx, Throwable cause) {
    server.scope().counters().rejected().labelValues("handshake").inc();
    server.scope().log().debug("handshake-failed", "cause", cause);
    ctx.close();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    server.scope().log().debug("handshake-failed", "cause", cause);
    ctx.close();
  }
}
