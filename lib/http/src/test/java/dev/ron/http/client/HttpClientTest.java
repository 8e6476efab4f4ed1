package dev.ron.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Inline;
import dev.ron.http.server.Limits;
import dev.ron.http.server.Timeouts;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.http.tls.DevCertificate;
import dev.ron.http.tls.Tls;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import dev.ron.testkit.SeedRow;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The client against our own server and against servers that misbehave. */
final class HttpClientTest {
  private static final Scope SCOPE = Scope.of("client", World.real(Log.silent()));
  private static final long LARGE = 3L * 1024 * 1024;
  @TempDir static Path folder;
  private static TestServer plain;
  private static TestServer secure;
  private static HttpClient client;

  @BeforeAll
  static void open() throws Exception {
    var pair = DevCertificate.make(folder, Instant.now());
    plain = new TestServer(config(), routes());
    secure = new TestServer(config().with(new Tls(pair.certificate(), pair.key())), routes());
    client =
        new HttpClient(
            SCOPE,
            HttpClientConfig.standard()
                .with(AddressPolicy.PUBLIC_OR_LOOPBACK)
                .trusting(pair.certificate()));
  }

  @AfterAll
  static void close() {
    client.close();
    plain.close();
    secure.close();
  }

  private static HttpServerConfig config() {
    return HttpServerConfig.on("127.0.0.1", 0)
        .with(new Limits(100, 16 * 1024, 100, LARGE * 2, 512, 0));
  }

  private static Routes routes() {
    Inline hello =
        x ->
            x.answer(
                Answer.text(200, x.head().protocol() + " " + x.channel().remoteAddress())
                    .with("X-Asked", String.valueOf(x.headers().first("X-Ask"))));
    Blocking count =
        x -> {
          long all = 0;
          var step = new byte[64 * 1024];
          try (InputStream in = x.body().stream()) {
            for (int read = in.read(step); read >= 0; read = in.read(step)) {
              all += read;
            }
          }
          return Answer.text(200, "" + all);
        };
    Blocking large =
        _ ->
            Answer.stream(
                200,
                new Headers(),
                sink -> {
                  var step = new byte[64 * 1024];
                  for (long at = 0; at < LARGE; at += step.length) {
                    sink.write(step);
                  }
                  return Headers.of("X-Sum", "1");
                });
    Blocking never =
        _ -> {
          new CountDownLatch(1).await();
          return Answer.empty(204);
        };
    Inline refuse = x -> x.answer(Answer.text(403, "no"));
    return Routes.of()
        .get("/hello", "hello", hello)
        .post("/count", "count", count)
        .get("/large", "large", large)
        .get("/never", "never", never)
        .post("/refuse", "refuse", refuse);
  }

  /** Every way to the same routes, with what the server must have heard. */
  static Stream<org.junit.jupiter.params.provider.Arguments> ways() {
    return Stream.of(
        org.junit.jupiter.params.provider.Arguments.of("http", "HTTP_1_1"),
        org.junit.jupiter.params.provider.Arguments.of("h2c", "HTTP_2"),
        org.junit.jupiter.params.provider.Arguments.of("https", "HTTP_2"));
  }

  private static URI uri(String scheme, String path) {
    int port = scheme.equals("https") ? secure.port() : plain.port();
    return URI.create(scheme + "://localhost:" + port + path);
  }

  private static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(20), SCOPE.time());
  }

  private static String text(ClientAnswer answer) throws Exception {
    return new String(answer.collect(1 << 20), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void getsAnAnswerAndKeepsTheConnection(String scheme, String heard) throws Exception {
    var request =
        ClientRequest.of("GET", uri(scheme, "/hello"), Headers.of("X-Ask", "a"), new byte[0]);
    try (var first = client.send(request, soon());
        var second = client.send(request, soon())) {
      assertThat(first.status()).isEqualTo(200);
      assertThat(first.headers().first("X-Asked")).isEqualTo("a");
      assertThat(text(first)).startsWith(heard);
      assertThat(second.status()).isEqualTo(200);
      text(second);
    }
    try (var third = client.send(request, soon());
        var again = client.send(ClientRequest.get(uri(scheme, "/nowhere")), soon())) {
      text(third);
      assertThat(again.status()).isEqualTo(404);
      assertThat(text(again)).contains("not-found");
    }
  }

  @Test
  void anIdleConnectionIsUsedAgain() throws Exception {
    var request = ClientRequest.get(uri("http", "/hello"));
    String first = text(client.send(request, soon()));
    assertThat(text(client.send(request, soon()))).as("same peer port").isEqualTo(first);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void sendsAndReceivesLargeBodiesInSteps(String scheme, String heard) throws Exception {
    for (long length : new long[] {LARGE, -1}) {
      var request = ClientRequest.streamed("POST", uri(scheme, "/count"), new Headers(), length);
      InputStream body = new Zeros(LARGE);
      try (var answer = client.send(request, body, soon())) {
        assertThat(text(answer)).isEqualTo("" + LARGE);
      }
    }
    var whole = ClientRequest.of("POST", uri(scheme, "/count"), new Headers(), new byte[100_000]);
    try (var answer = client.send(whole, soon())) {
      assertThat(text(answer)).isEqualTo("100000");
    }
    try (var answer = client.send(ClientRequest.get(uri(scheme, "/large")), soon())) {
      answer.skipNBytes(LARGE);
      assertThat(answer.read()).isEqualTo(-1);
      assertThat(answer.trailers().first("X-Sum")).isEqualTo("1");
    }
  }

  private static final class Zeros extends InputStream {
    private long left;

    Zeros(long left) {
      this.left = left;
    }

    @Override
    public int read() {
      return left-- > 0 ? 0 : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      int count = (int) Math.min(left, length);
      left -= count;
      return count == 0 && length > 0 ? -1 : count;
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void anAnswerBeforeTheEndOfTheRequestIsHeard(String scheme, String heard) throws Exception {
    var request = ClientRequest.streamed("POST", uri(scheme, "/refuse"), new Headers(), -1);
    try (var answer = client.send(request, new Zeros(LARGE), soon())) {
      assertThat(answer.status()).isEqualTo(403);
      assertThat(text(answer)).isEqualTo("no");
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void theDeadlineEndsTheWait(String scheme, String heard) {
    var request = ClientRequest.get(uri(scheme, "/never"));
    var deadline = Deadline.in(Duration.ofMillis(150), SCOPE.time());
    assertThatThrownBy(() -> client.send(request, deadline))
        .isInstanceOfSatisfying(Refusal.class, r -> assertThat(r.status()).isEqualTo(504));
  }

  /** Whichever of the two ended the wait is the limit that is named. */
  @ParameterizedTest
  @CsvSource({"150, 60000", "60000, 150"})
  void theLimitThatEndedTheWaitIsNamed(int deadlineMs, int stallMs) {
    var request = ClientRequest.get(uri("http", "/never"));
    assertThatThrownBy(
            () ->
                client.send(
                    request,
                    Deadline.in(Duration.ofMillis(deadlineMs), SCOPE.time()),
                    Duration.ofMillis(stallMs),
                    ClientAnswer.InterimListener.NONE))
        .isInstanceOfSatisfying(
            Refusal.class,
            refused -> {
              assertThat(refused.fault()).isInstanceOf(KernelFault.Timeout.class);
              var timeout = (KernelFault.Timeout) refused.fault();
              assertThat(timeout.limit()).isBetween(Duration.ZERO, Duration.ofMillis(150));
            });
  }

  @ParameterizedTest
  @MethodSource("ways")
  @SeedRow("G82")
  void anAnswerClosedEarlyDoesNotHarmTheNext(String scheme, String heard) throws Exception {
    for (int i = 0; i < 3; i++) {
      try (var answer = client.send(ClientRequest.get(uri(scheme, "/large")), soon())) {
        assertThat(answer.read()).isZero();
      }
    }
    assertThat(text(client.send(ClientRequest.get(uri(scheme, "/hello")), soon())))
        .startsWith(heard);
  }

  @Test
  void aConnectionTheServerClosedMeanwhileIsReplaced() throws Exception {
    var timeouts =
        new Timeouts(
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofMillis(100),
            Duration.ofSeconds(5));
    try (var impatient = new TestServer(config().with(timeouts), routes())) {
      URI hello = URI.create("http://127.0.0.1:" + impatient.port() + "/hello");
      for (int i = 0; i < 5; i++) {
        text(client.send(ClientRequest.get(hello), soon()));
        var _ = new CountDownLatch(1).await(120, java.util.concurrent.TimeUnit.MILLISECONDS);
      }
    }
  }

  @Test
  void aStrangersCertificateIsRefused() throws Exception {
    try (var distrustful =
        new HttpClient(SCOPE, HttpClientConfig.standard().with(AddressPolicy.ANY))) {
      assertThatThrownBy(() -> distrustful.send(ClientRequest.get(uri("https", "/hello")), soon()))
          .isInstanceOfSatisfying(Refusal.class, r -> assertThat(r.status()).isEqualTo(502))
          .hasMessageContaining("no trusted connection");
    }
  }

  @Test
  void addressesThePolicyForbidsAreNotDialled() throws Exception {
    try (var publicOnly = new HttpClient(SCOPE, HttpClientConfig.standard())) {
      for (String host : new String[] {"localhost", "127.0.0.1", "169.254.169.254", "[::1]"}) {
        var request = ClientRequest.get(URI.create("http://" + host + ":" + plain.port() + "/"));
        assertThatThrownBy(() -> publicOnly.send(request, soon()))
            .as(host)
            .hasMessageContaining("forbidden-address");
      }
    }
  }

  @Test
  void connectionsToOneOriginAreBounded() throws Exception {
    var narrow = HttpClientConfig.standard().with(AddressPolicy.ANY).withConnectionsPerOriginMax(1);
    try (var one = new HttpClient(SCOPE, narrow);
        var held = one.send(ClientRequest.get(uri("http", "/large")), soon())) {
      assertThatThrownBy(() -> one.send(ClientRequest.get(uri("http", "/hello")), soon()))
          .hasMessageContaining("busy");
      held.skipNBytes(LARGE);
      assertThat(held.read()).isEqualTo(-1);
      assertThat(text(one.send(ClientRequest.get(uri("http", "/hello")), soon())))
          .startsWith("HTTP_1_1");
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "two lengths        | HTTP/1.1 200 OK~Content-Length: 1~Content-Length: 1~~x | 502",
        "length and chunks  | HTTP/1.1 200 OK~Content-Length: 1~Transfer-Encoding: chunked~~x |"
            + " 502",
        "gzip, chunked      | HTTP/1.1 200 OK~Transfer-Encoding: gzip, chunked~~ | 502",
        "no status          | HTTP/1.1 OK~~ | 502",
        "space before colon | HTTP/1.1 200 OK~X : y~~ | 502",
        "other protocol     | SSH-2.0-x~~ | 502",
        "short body         | HTTP/1.1 200 OK~Content-Length: 9~~x | 502",
        "bad chunk          | HTTP/1.1 200 OK~Transfer-Encoding: chunked~~zz~ | 502",
        "nothing            | '' | 502",
        "until close        | HTTP/1.1 200 OK~~x | 200",
        "interim first      | HTTP/1.1 100 Continue~~HTTP/1.1 200 OK~Content-Length: 1~~x | 200",
        "old server         | HTTP/1.0 200 OK~Content-Length: 1~~x | 200"
      })
  void aServersAnswerIsReadStrictly(String name, String answer, int status) throws Exception {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread serving =
          Thread.startVirtualThread(
              () -> {
                try (Socket peer = server.accept()) {
                  var _ = peer.getInputStream().read(new byte[1024]);
                  peer.getOutputStream()
                      .write(answer.replace("~", "\r\n").getBytes(StandardCharsets.US_ASCII));
                } catch (java.io.IOException gone) {
                  // the client has seen enough
                }
              });
      var request =
          ClientRequest.of(
              "POST",
              URI.create("http://127.0.0.1:" + server.getLocalPort() + "/"),
              new Headers(),
              new byte[] {1});
      int heard;
      try (var got = client.send(request, soon())) {
        assertThat(text(got)).isEqualTo("x");
        heard = got.status();
      } catch (Refusal refusal) {
        heard = refusal.status();
      }
      assertThat(heard).as(name).isEqualTo(status);
      serving.join();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, false", "10.1.2.3, false", "172.16.0.1, false", "192.168.1.1, false",
    "169.254.169.254, false", "100.64.0.1, false", "0.0.0.0, false", "198.18.0.1, false",
    "224.0.0.1, false", "255.255.255.255, false", "::1, false", "fe80::1, false",
    "fc00::1, false", "fd12::1, false", "::ffff:10.0.0.1, false", "64:ff9b::7f00:1, false",
    "2002:7f00:1::1, false", "::7f00:1, false", "ff02::1, false", "8.8.8.8, true",
    "100.128.0.1, true", "172.32.0.1, true", "2606:4700::1111, true", "64:ff9b::808:808, true"
  })
  void onlyPublicAddressesArePublic(String address, boolean allowed) throws Exception {
    assertThat(AddressPolicy.PUBLIC.allows(InetAddress.getByName(address))).isEqualTo(allowed);
  }

  @Test
  void bytesThatCannotBeInAHeadAreRefusedBeforeTheyAreSent() {
    assertThatThrownBy(() -> Headers.of("X", "a\r\nY: b"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                new ClientRequest(
                    "GET",
                    new Origin(Origin.Scheme.HTTP, "a", 80),
                    "/ HTTP/1.1\r\nX: y",
                    new Headers(),
                    0,
                    new byte[0]))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
