package dev.ron.http.server.connection;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;

/**
 * Ends a connection so that the peer still gets the last answer.
 *
 * <p>Closing with unread bytes would reset the connection and destroy the answer on its way; so
 * only the sending half is closed, and the rest is read and thrown away until the peer closes or a
 * short time limit is over.
 *
 * <p>Threading: on the connection's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
public final class LingeringClose {
  private LingeringClose() {}

  /**
   * @param clean nothing the peer sent is unread
   */
  public static void say(Channel channel, boolean clean) {
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> closeHalf(channel, clean));
  }

  private static void closeHalf(Channel channel, boolean clean) {
    SslHandler ssl = channel.pipeline().get(SslHandler.class);
    if (clean || !(channel instanceof DuplexChannel duplex)) {
      channel.close();
    } else if (ssl != null) {
      ssl.closeOutbound();
    } else {
      duplex.shutdownOutput();
    }
  }
}
