package dev.ron.http.client;

import dev.ron.http.Refusal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Threads;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.NetUtil;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * Makes connections: finds the address, asks the policy about it, connects to exactly that one, and
 * verifies the certificate against the name.
 *
 * <p>Threading: thread-safe; each dialling ends on the event loop of its pool.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class Dialer {
  private static final int STEP_BYTES = 64 * 1024;

  private final HttpClientConfig config;
  private final SslContext tls;
  private final Threads threads;
  private final CounterDataPoint connectTimeouts;

  Dialer(HttpClientConfig config, SslContext tls, Scope scope) {
    this.config = config;
    this.tls = tls;
    this.threads = scope.world().threads();
    this.connectTimeouts = scope.counters().ioTimeouts().labelValues("connect");
  }

  void dial(ConnectionPool pool, Origin origin, ClientCall call) {
    byte[] literal = NetUtil.createByteArrayFromIpAddressString(origin.host());
    if (literal != null) {
      resolved(pool, origin, call, literal);
      return;
    }
    // The JDK's resolver blocks, so it gets a thread of its own; it remembers answers by itself.
    threads.start(
        "resolve/" + origin.host(),
        () -> {
          byte[] found = resolve(origin.host());
          pool.loop().execute(() -> resolved(pool, origin, call, found));
        });
  }

  private byte @Nullable [] resolve(String host) {
    try {
      for (InetAddress address : InetAddress.getAllByName(host)) {
        if (config.addresses().allows(address)) {
          return address.getAddress();
        }
      }
      return new byte[0];
    } catch (UnknownHostException unknown) {
      return null;
    }
  }

  private void resolved(
      ConnectionPool pool, Origin origin, ClientCall call, byte @Nullable [] found) {
    if (found == null) {
      String why = origin.host() + " has no address";
      pool.notDialled(call, origin, new ClientFault.NoConnection(origin, why, false).refusal());
      return;
    }
    InetAddress address = found.length == 0 ? null : address(found);
    if (address == null || !config.addresses().allows(address)) {
      pool.notDialled(call, origin, new ClientFault.ForbiddenAddress(origin.host()).refusal());
      return;
    }
    connect(pool, origin, call, new InetSocketAddress(address, origin.port()));
  }

  private static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException wrongLength) {
      throw new IllegalStateException("an address of " + bytes.length + " bytes", wrongLength);
    }
  }

  private void connect(
      ConnectionPool pool, Origin origin, ClientCall call, InetSocketAddress address) {
    new Bootstrap()
        .group(pool.loop())
        .channelFactory(config.transport().clientSockets())
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) config.connect().toMillis())
        .option(
            ChannelOption.WRITE_BUFFER_WATER_MARK,
            new WriteBufferWaterMark(STEP_BYTES, 2 * STEP_BYTES))
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                channel
                    .pipeline()
                    .addLast(
                        new IdleStateHandler(
                            0, 0, config.idle().toMillis(), TimeUnit.MILLISECONDS));
                if (origin.scheme() == Origin.Scheme.HTTPS) {
                  channel.pipeline().addLast(handshake(channel, origin));
                }
                channel.pipeline().addLast(new Quiet());
              }
            })
        .connect(address)
        .addListener(
            (ChannelFuture connected) -> {
              if (!connected.isSuccess()) {
                String why = "cannot connect to " + origin.authority();
                pool.notDialled(
                    call,
                    origin,
                    refusal(
                        connected.cause(),
                        origin,
                        new ClientFault.NoConnection(origin, why, false)));
              } else {
                secured(pool, origin, call, connected.channel());
              }
            });
  }

  private SslHandler handshake(Channel channel, Origin origin) {
    SslHandler handler = tls.newHandler(channel.alloc(), origin.host(), origin.port());
    SSLParameters parameters = handler.engine().getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    handler.engine().setSSLParameters(parameters);
    handler.setHandshakeTimeoutMillis(config.connect().toMillis());
    return handler;
  }

  /** A dial that took too long is a timeout like any other; the rest is no connection. */
  private Refusal refusal(Throwable cause, Origin origin, ClientFault.NoConnection otherwise) {
    if (cause instanceof ConnectTimeoutException || cause instanceof SslHandshakeTimeoutException) {
      connectTimeouts.inc();
      return new ClientFault.ConnectTimeout(origin.authority(), config.connect()).refusal();
    }
    return otherwise.refusal();
  }

  private void secured(ConnectionPool pool, Origin origin, ClientCall call, Channel channel) {
    SslHandler handshake = channel.pipeline().get(SslHandler.class);
    if (handshake == null) {
      ready(pool, origin, call, channel, origin.scheme() == Origin.Scheme.H2C);
      return;
    }
    handshake
        .handshakeFuture()
        .addListener(
            shaken -> {
              if (shaken.isSuccess()) {
                boolean http2 =
                    ApplicationProtocolNames.HTTP_2.equals(handshake.applicationProtocol());
                ready(pool, origin, call, channel, http2);
              } else {
                channel.close();
                String why = "no trusted connection to " + origin.authority();
                pool.notDialled(
                    call,
                    origin,
                    refusal(
                        shaken.cause(), origin, new ClientFault.NoConnection(origin, why, true)));
              }
            });
  }

  private static void ready(
      ConnectionPool pool, Origin origin, ClientCall call, Channel channel, boolean http2) {
    if (http2) {
      pool.dialled(call, origin, ClientHttp2.install(channel, pool, origin));
    } else {
      var one = new ClientHttp1(pool, origin, channel);
      channel.pipeline().addLast(one);
      pool.dialled(call, one);
    }
  }

  /**
   * Swallows a failure before the connection is in use; the caller that dialled hears of it
   * already.
   */
  private static final class Quiet extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }
}
