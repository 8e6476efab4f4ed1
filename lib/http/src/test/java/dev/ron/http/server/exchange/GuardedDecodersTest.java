package dev.ron.http.server.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import dev.ron.decode.DecodeLimits;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.guard.Guard;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Coded bodies through a real server. */
@Timeout(60)
class GuardedDecodersTest {
  private HttpServer server;

  @BeforeEach
  void open() throws Exception {
    Blocking length =
        exchange -> Answer.text(200, exchange.body().collect(8 * 1024 * 1024).length + "\n");
    server =
        new HttpServer(
            Scope.of("decode", World.real(Log.silent())),
            TestServer.loopback(),
            Routes.of().post("/length", "length", length),
            Guard.OPEN,
            new GuardedDecoders(DecodeLimits.capped(8 * 1024 * 1024)));
    server.open();
  }

  @AfterEach
  void close() throws InterruptedException {
    server.close(Deadline.NEVER);
  }

  @Test
  void aCodedBodyArrivesDecoded() throws Exception {
    byte[] body = "hello hello hello hello".getBytes(UTF_8);
    assertThat(post("gzip", gzip(body)).body()).isEqualTo(body.length + "\n");
    assertThat(post("zstd", Zstd.compress(body)).body()).isEqualTo(body.length + "\n");
    assertThat(post("gzip, zstd", Zstd.compress(gzip(body))).body()).isEqualTo(body.length + "\n");
  }

  @Test
  void aBombEndsAtTheRatioAndDamageIsNamed() throws Exception {
    byte[] bomb = Zstd.compress(new byte[64 * 1024 * 1024]);
    assertThat(post("zstd", bomb))
        .returns(413, HttpResponse::statusCode)
        .satisfies(answer -> assertThat(answer.body()).contains("\"code\":\"decoded-ratio\""));
    byte[] torn = gzip(new byte[100]);
    torn[torn.length - 3] ^= 1;
    assertThat(post("gzip", torn).statusCode()).isEqualTo(400);
    assertThat(post("rot13", torn).statusCode()).isEqualTo(415);
  }

  private HttpResponse<String> post(String coding, byte[] body) throws Exception {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/length"))
              .header("Content-Encoding", coding)
              .POST(HttpRequest.BodyPublishers.ofByteArray(body))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }
}
