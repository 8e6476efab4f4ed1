package dev.ron.http.server.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.Inline;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Decoders;
import dev.ron.http.server.guard.Guard;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import dev.ron.testkit.RawClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A coded body reaches its handler decoded, or not at all. */
final class DecodeLayerTest {
  private static final AtomicInteger OPEN = new AtomicInteger();
  private static final Scope SCOPE = Scope.of("coded", World.real(Log.silent()));
  private static HttpServer server;

  /** A coding that doubles every byte, whose end is a dot, and that allows twenty bytes. */
  private static final class Doubling implements Decoders.Decoder {
    private int plainBytes;
    private boolean dotSeen;

    Doubling() {
      OPEN.incrementAndGet();
    }

    @Override
    public void decode(ByteBuf wire, Consumer<ByteBuf> plain) throws Refusal {
      while (wire.isReadable()) {
        byte one = wire.readByte();
        dotSeen = one == '.';
        if (!dotSeen) {
          plainBytes += 2;
          if (plainBytes > 20) {
            throw Refusal.of(new HttpFault.BodyCap(20));
          }
          plain.accept(Unpooled.wrappedBuffer(new byte[] {one, one}));
        }
      }
    }

    @Override
    public void end(Consumer<ByteBuf> plain) throws Refusal {
      if (!dotSeen) {
        throw Refusal.malformed("the coded body is cut short");
      }
      plain.accept(Unpooled.wrappedBuffer("!".getBytes(StandardCharsets.US_ASCII)));
    }

    @Override
    public void close() {
      OPEN.decrementAndGet();
    }
  }

  @BeforeAll
  static void open() throws Exception {
    Blocking echo =
        x -> Answer.text(200, new String(x.body().collect(1024), StandardCharsets.US_ASCII));
    Inline inline =
        x ->
            x.body()
                .collect(
                    1024,
                    b -> x.answer(Answer.text(200, new String(b, StandardCharsets.US_ASCII))));
    Inline unread = x -> x.answer(Answer.text(200, "unread"));
    server =
        new HttpServer(
            SCOPE,
            TestServer.loopback(),
            Routes.of()
                .post("/echo", "echo", echo)
                .post("/inline", "inline", inline)
                .post("/unread", "unread", unread)
                .add(Route.of("POST", "/raw", "raw", echo).withCodedBody()),
            Guard.OPEN,
            coding -> coding.equals("double") ? new Doubling() : null);
    server.open();
  }

  @AfterAll
  static void close() throws Exception {
    server.close(Deadline.in(Duration.ofSeconds(1), SCOPE.time()));
    assertThat(OPEN).as("decoders left open").hasValue(0);
  }

  private static String post(String path, String coding, String body) throws Exception {
    try (var client = new RawClient(server.port())) {
      return client
          .send(
              "POST %s HTTP/1.1\r\nHost: a\r\nContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n%s"
                  .formatted(path, coding, body.length(), body))
          .answer();
    }
  }

  @Test
  void theHandlerReadsThePlainBody() throws Exception {
    assertThat(post("/echo", "double", "abc.")).contains(" 200 ").endsWith("aabbcc!");
    assertThat(post("/inline", "double", "abc.")).contains(" 200 ").endsWith("aabbcc!");
    assertThat(post("/echo", "double", ".")).endsWith("\r\n\r\n!");
  }

  @Test
  void whatTheDecoderRefusesIsRefused() throws Exception {
    for (String path : new String[] {"/echo", "/inline"}) {
      assertThat(post(path, "double", "0123456789x.")).as(path).contains(" 413 ");
      assertThat(post(path, "double", "abc")).as(path).contains(" 400 ").contains("cut short");
    }
  }

  @Test
  void otherCodingsAreRefusedAndPassedOnlyWhereAskedFor() throws Exception {
    assertThat(post("/echo", "gzip", "abc")).contains(" 415 ");
    assertThat(post("/echo", "double, double", "abc")).contains(" 415 ");
    assertThat(post("/echo", "identity", "abc")).contains(" 200 ").endsWith("abc");
    assertThat(post("/raw", "gzip", "abc")).contains(" 200 ").endsWith("abc");
    assertThat(post("/unread", "double", "abc.")).contains(" 200 ").endsWith("unread");
  }
}
