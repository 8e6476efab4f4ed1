package dev.ron.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
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
