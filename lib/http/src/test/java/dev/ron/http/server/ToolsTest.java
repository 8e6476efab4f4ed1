package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.http.Headers;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import dev.ron.http.tls.DevCertificate;
import dev.ron.http.tls.Tls;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server as curl and h2load see it: HTTP/1.1, HTTP/2, TLS, Unix sockets. */
final class ToolsTest {
  @TempDir static Path folder;
  private static DevCertificate pair;
  private static Tls tls;
  private static TestServer plain;
  private static TestServer secure;

  @BeforeAll
  static void open() throws Exception {
    pair = DevCertificate.make(folder, Instant.now());
    tls = new Tls(pair.certificate(), pair.key());
    plain = new TestServer(routes());
    secure =
        new TestServer(HttpServerConfig.on("127.0.0.1", 0).with(Limits.OPEN).with(tls), routes());
  }

  @AfterAll
  static void close() {
    plain.close();
    secure.close();
  }

  private static Routes routes() throws IOException {
    Path file = folder.resolve("file");
    Files.writeString(file, "0123456789".repeat(100_000));
    Inline hello = x -> x.answer(Answer.text(200, x.head().protocol() + "\n"));
    Inline refuse = x -> x.answer(Answer.text(403, "refused\n"));
    Blocking count = x -> Answer.text(200, x.body().collect(1 << 20).length + "\n");
    Blocking region = _ -> Answer.file(200, new Headers(), Body.Region.open(file, 0, 1_000_000));
    Blocking stream =
        _ ->
            Answer.stream(
                200,
                new Headers(),
                sink -> {
                  sink.write("abc\n".getBytes(StandardCharsets.US_ASCII));
                  return Headers.of("X-Sum", "4");
                });
    return Routes.of()
        .get("/hello", "hello", hello)
        .post("/count", "count", count)
        .post("/refuse", "refuse", refuse)
        .get("/file", "file", region)
        .get("/stream", "stream", stream);
  }

  private static String run(String... command) throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin", command[0])),
        "NOT RUN: " + command[0] + " is not installed, so this proof is missing");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream out = process.getInputStream()) {
      String said = new String(out.readAllBytes(), StandardCharsets.ISO_8859_1);
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      return said;
    }
  }

  private static String curl(String... arguments) throws Exception {
    var command = new ArrayList<>(List.of("curl", "-sS", "-m", "20"));
    command.addAll(List.of(arguments));
    return run(command.toArray(String[]::new));
  }

  private static String http(String path) {
    return "http://localhost:" + plain.port() + path;
  }

  private static String https(String path) {
    return "https://localhost:" + secure.port() + path;
  }

  @Test
  void curlSeesAnAnswerThatCameBeforeItsSmallBodyWasOut() throws Exception {
    Path small = folder.resolve("small");
    Files.writeString(small, "x".repeat(60_000));
    for (int i = 0; i < 20; i++) {
      for (String version : List.of("--http1.1", "--http2-prior-knowledge")) {
        assertThat(curl(version, "-H", "Expect:", "--data-binary", "@" + small, http("/refuse")))
            .as(version)
            .isEqualTo("refused\n");
      }
    }
  }

  @Test
  void curlSpeaksEveryProtocolWithIt() throws Exception {
    String ca = pair.certificate().toString();
    assertThat(curl(http("/hello"))).isEqualTo("HTTP_1_1\n");
    assertThat(curl("--http1.0", http("/hello"))).isEqualTo("HTTP_1_0\n");
    assertThat(curl("--http2-prior-knowledge", http("/hello"))).isEqualTo("HTTP_2\n");
    assertThat(curl("--http1.1", "--cacert", ca, https("/hello"))).isEqualTo("HTTP_1_1\n");
    assertThat(curl("--http2", "--cacert", ca, https("/hello"))).isEqualTo("HTTP_2\n");
    assertThat(curl("--http2", https("/hello"))).as("an unknown certificate").contains("(60)");
    assertThat(curl("--tls-max", "1.2", "--cacert", ca, https("/hello"))).contains("(35)");
  }

  @Test
  void curlUploadsAndDownloadsOverEveryProtocol() throws Exception {
    Path body = folder.resolve("body");
    Files.writeString(body, "x".repeat(900_000));
    String ca = pair.certificate().toString();
    for (String[] how :
        new String[][] {
          {"--http1.1", http("")},
          {"--http2-prior-knowledge", http("")},
          {"--http1.1", https("")},
          {"--http2", https("")}
        }) {
      String data = "@" + body;
      assertThat(curl(how[0], "--cacert", ca, "--data-binary", data, how[1] + "/count"))
          .as(how[0] + " " + how[1])
          .isEqualTo("900000\n");
      assertThat(curl(how[0], "--cacert", ca, how[1] + "/file"))
          .as(how[0] + " " + how[1])
          .isEqualTo("0123456789".repeat(100_000));
      assertThat(curl(how[0], "--cacert", ca, how[1] + "/stream")).isEqualTo("abc\n");
      assertThat(curl(how[0], "--cacert", ca, "-I", how[1] + "/stream")).contains("200");
      assertThat(refusedUpload(how[0], "--cacert", ca, "-d", "x", how[1] + "/nowhere"))
          .contains("not-found");
    }
  }

  /**
   * A refusal goes out before the body is in, and then the stream is reset without an error, as RFC
   * 9113 8.1 has it. curl 7.88 drops the answer if it was about to send that body: its error 92.
   */
  private static String refusedUpload(String... arguments) throws Exception {
    String said = curl(arguments);
    for (int i = 0; i < 5 && said.contains("(92)"); i++) {
      said = curl(arguments);
    }
    return said;
  }

  @Test
  void h2loadGetsEveryAnswer() throws Exception {
    assertThat(run("h2load", "-n", "1000", "-c", "8", "-m", "16", http("/hello")))
        .contains("1000 succeeded, 0 failed, 0 errored");
    assertThat(run("h2load", "-n", "30", "-c", "3", "-m", "8", https("/file")))
        .contains("Application protocol: h2")
        .contains("30 succeeded, 0 failed, 0 errored");
  }

  @Test
  void aNewCertificateIsServedWithoutARestart() throws Exception {
    Path other = Files.createDirectories(folder.resolve("other"));
    var fresh = DevCertificate.make(other, Instant.now());
    String trusted = fresh.certificate().toString();
    assertThat(curl("--cacert", trusted, https("/hello"))).contains("(60)");
    byte[] oldCertificate = Files.readAllBytes(pair.certificate());
    byte[] oldKey = Files.readAllBytes(pair.key());
    Files.write(pair.certificate(), Files.readAllBytes(fresh.certificate()));
    assertThat(org.assertj.core.api.Assertions.catchThrowable(tls::reload))
        .as("a certificate without its key")
        .isInstanceOf(IOException.class);
    Files.write(pair.key(), Files.readAllBytes(fresh.key()));
    tls.reload();
    assertThat(curl("--cacert", trusted, https("/hello"))).isEqualTo("HTTP_2\n");
    Files.write(pair.certificate(), oldCertificate);
    Files.write(pair.key(), oldKey);
    tls.reload();
  }

  @Test
  void bothTlsProvidersServe() throws Exception {
    for (SslProvider provider : new SslProvider[] {SslProvider.JDK, SslProvider.OPENSSL}) {
      if (provider == SslProvider.OPENSSL) {
        assumeTrue(OpenSsl.isAvailable(), "NOT RUN: no BoringSSL binary fits this machine");
      }
      var config =
          HttpServerConfig.on("127.0.0.1", 0)
              .with(Tls.forAnyClient(pair.certificate(), pair.key(), provider));
      try (var server = new TestServer(config, routes())) {
        String url = "https://localhost:" + server.port() + "/hello";
        assertThat(curl("--cacert", pair.certificate().toString(), url)).isEqualTo("HTTP_2\n");
      }
    }
  }

  @Test
  void aUnixSocketIsForItsOwnerAndTheAllowedOnly() throws Exception {
    assumeTrue(io.netty.channel.epoll.Epoll.isAvailable(), "NOT RUN: no epoll on this machine");
    Path socket = Files.createTempDirectory("ron-http").resolve("plane/http.sock");
    int uid = (Integer) Files.getAttribute(folder, "unix:uid");
    for (int allowed : new int[] {uid, uid + 1}) {
      var bind = new Bind.Unix(socket, Set.of(allowed));
      try (var server = new TestServer(HttpServerConfig.on(bind), routes())) {
        assertThat(permissions(socket.getParent())).isEqualTo("rwx------");
        assertThat(permissions(socket))
            .as("others are let near only if some are allowed")
            .isEqualTo(allowed == uid ? "rw-------" : "rw-rw-rw-");
        String said = curl("--unix-socket", socket.toString(), "http://plane/hello");
        if (allowed == uid) {
          assertThat(said).isEqualTo("HTTP_1_1\n");
        } else {
          assertThat(said).as("a stranger").contains("curl: (");
          assertThat(server.metric("rejected_total{reason=\"peer\"}")).isEqualTo(1);
        }
      }
      assertThat(socket).doesNotExist();
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void everyTransportServes() throws Exception {
    for (dev.ron.http.Transport transport :
        new dev.ron.http.Transport[] {
          dev.ron.http.Transport.NIO, dev.ron.http.Transport.EPOLL, dev.ron.http.Transport.IO_URING
        }) {
      try {
        transport.resolved();
      } catch (IllegalStateException absent) {
        System.out.println("NOT RUN: transport " + transport + ": " + absent.getCause());
        continue;
      }
      var config = HttpServerConfig.on("127.0.0.1", 0).with(transport);
      try (var server = new TestServer(config, routes())) {
        String url = "http://localhost:" + server.port();
        assertThat(curl(url + "/hello")).as("" + transport).isEqualTo("HTTP_1_1\n");
        assertThat(curl(url + "/file")).hasSize(1_000_000);
      }
    }
  }
}
