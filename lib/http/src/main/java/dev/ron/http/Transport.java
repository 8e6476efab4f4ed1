package dev.ron.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import io.netty.util.ResourceLeakDetector;

/** How event loops talk to the system; chosen at start. */
public enum Transport {
  /** Epoll where it is there, else NIO. */
  AUTO,
  EPOLL,
  IO_URING,
  NIO;

  /** Half of it is out before a connection is writable again. */
  private static final long UNSENT_BYTES_MAX = 256 * 1024;

  private static final int SEND_BUFFER_BYTES = 128 * 1024;

  static {
    // Netty's default remembers where one buffer in 128 came from; that stack trace is 3 % of a
    // proxied request. The tests track every buffer instead; to hunt a leak in production, set the
    // level.
    if (System.getProperty("io.netty.leakDetection.level") == null) {
      ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }
  }

  /** The transport that will be used, or why the wanted one cannot be. */
  public Transport resolved() {
    return switch (this) {
      case AUTO -> Epoll.isAvailable() ? EPOLL : NIO;
      case EPOLL -> {
        if (!Epoll.isAvailable()) {
          throw new IllegalStateException("transport = epoll is not there", cause(this));
        }
        yield this;
      }
      case IO_URING -> {
        if (!IoUring.isAvailable()) {
          throw new IllegalStateException("transport = io_uring is not there", cause(this));
        }
        yield this;
      }
      case NIO -> this;
    };
  }

  private static Throwable cause(Transport transport) {
    return transport == EPOLL ? Epoll.unavailabilityCause() : IoUring.unavailabilityCause();
  }

  public IoHandlerFactory ioHandlers() {
    return switch (resolved()) {
      case EPOLL -> EpollIoHandler.newFactory();
      case IO_URING -> IoUringIoHandler.newFactory();
      case NIO, AUTO -> NioIoHandler.newFactory();
    };
  }

  public ChannelFactory<? extends ServerChannel> serverSockets() {
    return switch (resolved()) {
      case EPOLL -> EpollServerSocketChannel::new;
      case IO_URING -> IoUringServerSocketChannel::new;
      case NIO, AUTO -> NioServerSocketChannel::new;
    };
  }

  /**
   * Bounds what the system takes of an answer, where it does not tell how far the peer is: the
   * write timeout sees no more than what is taken, and a large buffer takes nothing for long while
   * a slow peer empties it. It bounds what can be on its way too, so the others go without.
   */
  public void boundSendBuffer(ServerBootstrap bootstrap) {
    if (resolved() == NIO) {
      bootstrap.childOption(ChannelOption.SO_SNDBUF, SEND_BUFFER_BYTES);
    }
  }

  /**
   * Lets a connection take only so many bytes more than it has sent, so that it is writable again
   * as soon as its peer has made room for some.
   */
  public static void boundUnsent(Channel channel) {
    switch (channel) {
      case EpollSocketChannel epoll ->
          epoll.config().setOption(EpollChannelOption.TCP_NOTSENT_LOWAT, UNSENT_BYTES_MAX);
      case IoUringSocketChannel ring ->
          ring.config().setOption(IoUringChannelOption.TCP_NOTSENT_LOWAT, UNSENT_BYTES_MAX);
      default -> {} // NIO has bounded its send buffer, and Unix sockets have small ones
    }
  }

  public ChannelFactory<? extends Channel> clientSockets() {
    return switch (resolved()) {
      case EPOLL -> EpollSocketChannel::new;
      case IO_URING -> IoUringSocketChannel::new;
      case NIO, AUTO -> NioSocketChannel::new;
    };
  }

  /** Unix sockets that can tell who connects; only epoll has them. */
  public ChannelFactory<? extends ServerChannel> unixServerSockets() {
    if (resolved() != EPOLL) {
      throw new IllegalStateException("Unix sockets need transport = epoll, this is " + this);
    }
    return EpollServerDomainSocketChannel::new;
  }
}
