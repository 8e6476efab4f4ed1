package dev.ron.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Inline;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.AnswerStream;
import dev.ron.http.server.exchange.BodyReader;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Server and client on one event loop: what a gateway does, both ways, with backpressure. */
final class ProxyTest {
  private static final int LARGE = 48 * 1024 * 1024;
  private static final AtomicLong UPSTREAM_READ = new AtomicLong();
  private static TestServer upstream;
  private static TestServer proxy;
  private static HttpClient client;

  @BeforeAll
  static void open() throws Exception {
    var limits = new Limits(100, 16 * 1024, 100, 1L << 40, 512, 0);
    var config = HttpServerConfig.on("127.0.0.1", 0).with(limits);
    Blocking mirror =
        x ->
            Answer.stream(
                200,
                Headers.of("X-Via", String.valueOf(x.headers().first("X-Via"))),
                sink -> {
                  var step = new byte[64 * 1024];
                  try (InputStream in = x.body().stream()) {
                    for (int read = in.read(step); read >= 0; read = in.read(step)) {
                      UPSTREAM_READ.addAndGet(read);
                      sink.write(step, 0, read);
                    }
                  }
                  return Headers.of("X-Sum", "ok");
                });
    Inline echo =
        x ->
            x.upgrade(
                Headers.of("Upgrade", "echo", "Connection", "Upgrade"),
                channel -> channel.pipeline().addLast(new Into(channel)));
    upstream =
        new TestServer(config, Routes.of().any("/mirror", "mirror", mirror).get("/up", "up", echo));
    client =
        new HttpClient(
            Scope.of("proxy", World.real(Log.silent())),
            HttpClientConfig.standard().with(AddressPolicy.PUBLIC_OR_LOOPBACK));
    Inline pass = x -> new Pass(x, upstream.port()).begin();
    proxy = new TestServer(config.withLoops(1), Routes.of().any("/{rest...}", "pass", pass));
  }

  @AfterAll
  static void close() {
    client.close();
    proxy.close();
    upstream.close();
  }

  /** One request passed on; a miniature of the gateway's. */
  private static final class Pass implements ClientReader {
    private final Exchange exchange;
    private final int port;
    private ClientCall call;
    private AnswerStream out;

    Pass(Exchange exchange, int port) {
      this.exchange = exchange;
      this.port = port;
    }

    void begin() {
      var headers = Headers.of("X-Via", "proxy");
      for (String name : new String[] {"Upgrade", "Connection"}) {
        if (exchange.headers().has(name)) {
          headers.add(name, exchange.headers().first(name));
        }
      }
      var request =
          new ClientRequest(
              exchange.method(),
              new Origin(Origin.Scheme.HTTP, "127.0.0.1", port),
              exchange.head().target(),
              headers,
              exchange.head().bodyLength(),
              new byte[0]);
      call = client.call((EventLoop) exchange.loop(), request, exchange.deadline(), this);
    }

    @Override
    public void ready() {
      exchange.body().read(new Upward());
    }

    @Override
    public void writable() {
      exchange.body().more();
    }

    @Override
    public void head(int status, Headers headers) {
      if (status != 101) {
        out = exchange.begin(status, Headers.of("X-Via", headers.first("X-Via")), -1);
        out.onWritable(call::more);
        call.more();
      }
    }

    @Override
    public void piece(ByteBuf bytes) {
      out.write(bytes);
      if (out.writable()) {
        call.more();
      }
    }

    @Override
    public void end(Headers trailers) {
      out.end(trailers);
    }

    @Override
    public void failed(Refusal refusal) {
      if (out == null) {
        exchange.answer(Answer.problem(refusal));
      } else {
        out.cut();
      }
    }

    @Override
    public void upgraded(Channel channel) {
      exchange.upgrade(
          Headers.of("Upgrade", "echo", "Connection", "Upgrade"),
          front -> {
            front.pipeline().addLast(new Into(channel));
            channel.pipeline().addLast(new Into(front));
          });
    }

    /** The request's body on its way up. */
    private final class Upward implements BodyReader {
      @Override
      public void piece(ByteBuf bytes) {
        call.write(bytes);
        if (call.writable()) {
          exchange.body().more();
        }
      }

      @Override
      public void end(Headers trailers) {
        call.end(trailers);
      }

      @Override
      public void failed(Refusal refusal) {
        call.cut();
      }
    }
  }

  /** Passes raw bytes on to another connection. */
  private static final class Into extends ChannelInboundHandlerAdapter {
    private final Channel other;

    Into(Channel other) {
      this.other = other;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      var _ = other.writeAndFlush(message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      var _ = other.close();
    }
  }

  private static RawClient connect() throws Exception {
    return proxy.connect();
  }

  @Test
  void aSmallRequestIsPassedOnAndBack() throws Exception {
    try (var peer = connect()) {
      for (int i = 0; i < 3; i++) {
        peer.send("GET /mirror HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(peer.answer())
            .contains(" 200 ")
            .contains("X-Via: proxy")
            .endsWith("[X-Sum: ok]");
        peer.send("POST /mirror HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
        assertThat(peer.answer()).contains(" 200 ").endsWith("abc[X-Sum: ok]");
      }
    }
  }

  @Test
  void aLargeBodyPassesBothWaysAndWaitsForItsReader() throws Exception {
    try (var peer = connect()) {
      peer.send("POST /mirror HTTP/1.1\r\nHost: a\r\nContent-Length: " + LARGE + "\r\n\r\n");
      Thread sender = Thread.startVirtualThread(() -> flood(peer));
      long before = -1;
      while (UPSTREAM_READ.get() == 0 || UPSTREAM_READ.get() != before) {
        before = UPSTREAM_READ.get();
        var _ =
            new java.util.concurrent.CountDownLatch(1)
                .await(200, java.util.concurrent.TimeUnit.MILLISECONDS);
      }
      assertThat(before).as("read upstream while nobody takes the answer").isLessThan(LARGE);
      peer.head();
      long body = 0;
      InputStream in = peer.socket().getInputStream();
      while (body < LARGE) {
        int size = Integer.parseInt(line(in), 16);
        in.skipNBytes(size + 2L);
        body += size;
      }
      assertThat(line(in)).isEqualTo("0");
      assertThat(line(in)).isEqualTo("X-Sum: ok");
      sender.join();
    }
  }

  @Test
  void anUpgradeIsPassedThrough() throws Exception {
    try (var peer = connect()) {
      peer.send("GET /up HTTP/1.1\r\nHost: a\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n");
      assertThat(peer.head()).contains(" 101 ");
      peer.send("ping");
      byte[] back = peer.socket().getInputStream().readNBytes(4);
      assertThat(back).asString(java.nio.charset.StandardCharsets.US_ASCII).isEqualTo("ping");
    }
  }

  private static String line(InputStream in) throws java.io.IOException {
    var line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      line.append((char) b);
    }
    return line.toString().strip();
  }

  private static void flood(RawClient peer) {
    var step = new byte[64 * 1024];
    try {
      OutputStream to = peer.socket().getOutputStream();
      for (int at = 0; at < LARGE; at += step.length) {
        to.write(step);
      }
    } catch (java.io.IOException closed) {
      throw new IllegalStateException(closed);
    }
  }
}
