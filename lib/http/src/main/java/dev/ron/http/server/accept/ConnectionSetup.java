package dev.ron.http.server.accept;

import dev.ron.http.server.Bind;
import dev.ron.http.server.ServerContext;
import dev.ron.http.server.connection.EventLoopContext;
import dev.ron.http.server.http1.Http1Connection;
import dev.ron.http.tls.Tls;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.DomainSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides whether an accepted connection may stay, and gives it its handlers.
 *
 * <p>Threading: thread-safe; runs on the event loop of each connection.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
public final class ConnectionSetup extends ChannelInitializer<Channel> {
  private final ServerContext server;
  private final Connections connections;
  private final Map<EventExecutor, EventLoopContext> loops = new ConcurrentHashMap<>();

  public ConnectionSetup(ServerContext server, Connections connections) {
    this.server = server;
    this.connections = connections;
  }

  @Override
  public boolean isSharable() {
    return true;
  }

  @Override
  protected void initChannel(Channel channel) throws IOException {
    if (!mayConnect(channel)) {
      server.scope().counters().rejected().labelValues("peer").inc();
      channel.close();
      return;
    }
    EventLoopContext loop = loops.computeIfAbsent(channel.eventLoop(), this::loop);
    if (connections.admit(channel) == null) {
      server.scope().counters().rejected().labelValues("connections").inc();
      channel.close();
      return;
    }
    Tls tls = server.config().tls();
    if (tls == null || channel instanceof DomainSocketChannel) {
      channel.pipeline().addLast(new Http1Connection(server, loop, channel, isLocal(channel)));
      return;
    }
    SslHandler handshake = tls.context().newHandler(channel.alloc());
    handshake.setHandshakeTimeoutMillis(server.config().timeouts().read().toMillis());
    channel.pipeline().addLast(handshake, new AlpnChoice(server, loop));
  }

  /** Cleartext HTTP/2 is for this machine only. */
  private static boolean isLocal(Channel channel) {
    return !(channel.remoteAddress() instanceof InetSocketAddress peer)
        || peer.getAddress().isLoopbackAddress();
  }

  private EventLoopContext loop(EventExecutor executor) {
    return new EventLoopContext(executor, server.time(), server.config().timeouts().shortest());
  }

  private boolean mayConnect(Channel channel) throws IOException {
    if (!(channel instanceof EpollDomainSocketChannel socket)) {
      return true;
    }
    Bind.Unix unix = server.config().unix().orElseThrow();
    return unix.allowedUids().contains(socket.peerCredentials().uid());
  }
}
