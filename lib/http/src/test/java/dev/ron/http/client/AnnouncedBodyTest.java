package dev.ron.http.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import dev.ron.testkit.RecordingOrigin;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No caller can write a body that is not the one its request's head announced. */
final class AnnouncedBodyTest {
  private static final Scope SCOPE = Scope.of("client", World.real(Log.silent()));
  private static final String HIDDEN = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
  private RecordingOrigin origin;
  private HttpClient client;

  @BeforeEach
  void open() throws Exception {
    origin = new RecordingOrigin();
    client =
        new HttpClient(SCOPE, HttpClientConfig.standard().with(AddressPolicy.PUBLIC_OR_LOOPBACK));
  }

  @AfterEach
  void close() throws Exception {
    client.close();
    origin.close();
  }

  private static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(20), SCOPE.time());
  }

  /** A stream that gives its bytes in the given pieces. */
  private static InputStream pieces(String... pieces) {
    InputStream all = InputStream.nullInputStream();
    for (String piece : pieces) {
      all = new SequenceInputStream(all, new ByteArrayInputStream(piece.getBytes(US_ASCII)));
    }
    return all;
  }

  private void upload(long announced, InputStream body) throws Exception {
    URI uri = URI.create(origin.url() + "/p1");
    var request = ClientRequest.streamed("POST", uri, new Headers(), announced);
    try (var answer = client.send(request, body, soon())) {
      answer.collect(100);
    }
  }

  /** Goes on a connection of its own if the last one was cut, and arrives as one request. */
  private void askAgain() throws Exception {
    URI uri = URI.create(origin.url() + "/p2");
    var next = ClientRequest.of("GET", uri, new Headers(), new byte[0]);
    try (var answer = client.send(next, soon())) {
      assertThat(answer.headers().first("X-Answers")).isEqualTo("2");
      answer.collect(100);
    }
  }

  @ParameterizedTest
  @CsvSource({"5, longer", "70000, longer", "100, shorter", "200000, shorter"})
  void aBodyOfAnotherLengthIsCutAndItsConnectionNotUsedAgain(long announced, String how)
      throws Exception {
    String body =
        switch ((int) announced) {
          case 5, 100 -> "hello" + HIDDEN;
          default -> "x".repeat(70_000) + HIDDEN;
        };
    assertThatThrownBy(() -> upload(announced, pieces(body)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("the request's body is " + how + " than announced");
    askAgain();
    assertThat(origin.breaches()).isEmpty();
    assertThat(origin.requests()).singleElement().satisfies(one -> isNext(one, 2));
  }

  private static void isNext(RecordingOrigin.Heard heard, int connection) {
    assertThat(heard.target()).isEqualTo("/p2");
    assertThat(heard.connection()).isEqualTo(connection);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 70_005})
  void aBodyThatFailsInTheMiddleNeverLooksWhole(long announced) throws Exception {
    InputStream fails =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the client left");
          }

          @Override
          public int read(byte[] into, int offset, int length) throws IOException {
            throw new IOException("the client left");
          }
        };
    InputStream body = new SequenceInputStream(pieces("x".repeat(70_000)), fails);
    assertThatThrownBy(() -> upload(announced, body)).hasMessageContaining("the client left");
    askAgain();
    assertThat(origin.breaches()).isEmpty();
    assertThat(origin.requests()).singleElement().satisfies(one -> isNext(one, 2));
  }

  @Test
  void aBodyAsAnnouncedKeepsItsConnection() throws Exception {
    upload(70_003, pieces("x".repeat(70_000), "abc"));
    askAgain();
    upload(-1, pieces("x".repeat(70_000), "abc"));
    assertThat(origin.breaches()).isEmpty();
    assertThat(origin.requests())
        .hasSize(3)
        .allSatisfy(one -> assertThat(one.connection()).isOne());
    assertThat(origin.requests().getLast().body()).hasSize(70_003);
  }

  /** Its server may answer before the caller comes to say that this was all. */
  @Test
  void aBodyThatIsCountedIsWholeWithItsLastByte() {
    URI uri = URI.create(origin.url() + "/p1");
    var counted = AnnouncedBody.of(ClientRequest.streamed("POST", uri, new Headers(), 3));
    assertThat(counted.takes(2)).isTrue();
    assertThat(counted.whole()).isFalse();
    assertThat(counted.takes(1)).isTrue();
    assertThat(counted.whole()).isTrue();
    assertThat(counted.ended()).as("no frame has said so").isFalse();
    var chunked = AnnouncedBody.of(ClientRequest.streamed("POST", uri, new Headers(), -1));
    assertThat(chunked.takes(3)).isTrue();
    assertThat(chunked.whole()).isFalse();
    assertThat(chunked.ends()).isTrue();
    assertThat(chunked.whole()).isTrue();
  }

  /** By the call itself, without the stream that a blocking caller goes through. */
  @ParameterizedTest
  @CsvSource({"0, GET", "3, POST", "-1, POST"})
  void nothingIsWrittenAfterTheEnd(long announced, String method) throws Exception {
    var loops =
        new MultiThreadIoEventLoopGroup(1, HttpClientConfig.standard().transport().ioHandlers());
    var told = new LinkedBlockingQueue<String>();
    var calls = new CompletableFuture<ClientCall>();
    var request =
        new ClientRequest(
            method,
            Origin.of(URI.create(origin.url())),
            "/p1",
            new Headers(),
            announced,
            new byte[0]);
    var writer =
        new ClientReader() {
          @Override
          public void ready() {
            ClientCall call = calls.join();
            call.write(Unpooled.copiedBuffer("abc", US_ASCII));
            call.end(new Headers(1));
            call.write(Unpooled.copiedBuffer(HIDDEN, US_ASCII));
          }

          @Override
          public void head(int status, Headers headers) {
            told.add("head");
            calls.join().write(Unpooled.copiedBuffer(HIDDEN, US_ASCII));
          }

          @Override
          public void piece(ByteBuf bytes) {
            bytes.release();
          }

          @Override
          public void end(Headers trailers) {
            told.add("end");
          }

          @Override
          public void failed(Refusal refusal) {
            told.add(refusal.fault().code());
          }
        };
    try {
      EventLoop loop = loops.next();
      loop.execute(() -> calls.complete(client.call(loop, request, Deadline.NEVER, writer)));
      String first = told.poll(20, TimeUnit.SECONDS);
      assertThat(announced == 0 ? told.poll(20, TimeUnit.SECONDS) : first).isEqualTo("misframed");
    } finally {
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(20, TimeUnit.SECONDS);
    }
    askAgain();
    assertThat(origin.breaches()).isEmpty();
    assertThat(origin.requests()).noneMatch(one -> one.target().equals("/smuggled"));
  }

  @ParameterizedTest
  @CsvSource({"5, longer", "100000, shorter"})
  void aStreamOfAnotherLengthIsReset(long announced, String how) throws Exception {
    var whole = new LinkedBlockingQueue<Integer>();
    Blocking count =
        x -> {
          whole.add(x.body().collect(1 << 20).length);
          return Answer.text(200, "");
        };
    try (var server = new TestServer(Routes.of().post("/p1", "up", count))) {
      URI uri = URI.create("h2c://localhost:" + server.port() + "/p1");
      var request = ClientRequest.streamed("POST", uri, new Headers(), announced);
      assertThatThrownBy(
              () -> client.send(request, pieces("x".repeat(70_000) + HIDDEN), soon()).close())
          .isInstanceOf(Refusal.class)
          .hasMessageContaining(how);
      var sound = ClientRequest.of("POST", uri, new Headers(), new byte[7]);
      try (var answer = client.send(sound, soon())) {
        assertThat(answer.status()).isEqualTo(200);
      }
      assertThat(whole).containsExactly(7);
    }
  }

  @Test
  void aRequestThatContradictsItselfCannotBeMade() {
    URI uri = URI.create("http://localhost/");
    var target = Origin.of(uri);
    assertThatThrownBy(() -> new ClientRequest("POST", target, "/", new Headers(), 3, new byte[4]))
        .hasMessageContaining("a body of 4 bytes announced as 3");
    assertThatThrownBy(() -> new ClientRequest("POST", target, "/", new Headers(), -2, new byte[0]))
        .hasMessageContaining("announced as -2");
    for (String name : new String[] {"content-length", "Transfer-Encoding"}) {
      assertThatThrownBy(() -> ClientRequest.of("GET", uri, Headers.of(name, "3"), new byte[0]))
          .hasMessageContaining("framing");
    }
  }
}
