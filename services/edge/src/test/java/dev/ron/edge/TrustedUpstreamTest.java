package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Inline;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.route.Routes;
import dev.ron.http.tls.CertificateAuthority;
import dev.ron.http.tls.DevCertificate;
import dev.ron.http.tls.Pem;
import dev.ron.http.tls.Tls;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import dev.ron.testkit.SeedRow;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An upstream over TLS is asked if its certificate is trusted, and for the name it is for. */
final class TrustedUpstreamTest {
  @TempDir private Path folder;
  private final Scope scope = Scope.of("origin", World.real(Log.silent()));
  private DevCertificate pair;
  private HttpServer origin;

  @BeforeEach
  void serve() throws Exception {
    pair = DevCertificate.make(folder, Instant.now());
    origin = serve(scope, new Tls(pair.certificate(), pair.key()));
  }

  private static HttpServer serve(Scope scope, Tls tls) throws Exception {
    Inline answer =
        exchange -> exchange.answer(Answer.text(200, "secret").with("Cache-Control", "max-age=60"));
    var server =
        new HttpServer(
            scope,
            HttpServerConfig.on("127.0.0.1", 0).with(Limits.OPEN).with(tls),
            Routes.of().get("/x", "x", answer));
    server.open();
    return server;
  }

  @AfterEach
  void end() throws InterruptedException {
    end(origin);
  }

  private void end(HttpServer server) throws InterruptedException {
    server.close(Deadline.in(Duration.ofSeconds(5), scope.time()));
  }

  @Test
  @SeedRow("E16")
  void aTrustedOneIsAskedAndCached() throws Exception {
    try (Rig rig = Rig.trusting(folder.resolve("edge"), url(), pair.certificate())) {
      assertThat(rig.get("/x").body()).isEqualTo("secret");
      rig.awaitIdle();
      HttpResponse<String> again = rig.get("/x");
      assertThat(again.headers().firstValue("Cache-Status").orElse("")).startsWith("ron-edge; hit");
      assertThat(again.body()).isEqualTo("secret");
    }
  }

  @Test
  void oneThatAnotherCertificateVouchesForIsNot() throws Exception {
    DevCertificate other = DevCertificate.make(folder.resolve("other"), Instant.now());
    try (Rig rig = Rig.trusting(folder.resolve("edge"), url(), other.certificate())) {
      HttpResponse<String> refused = rig.get("/x");
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(502);
      assertThat(refused.body()).doesNotContain("secret");
    }
  }

  /** One authority signs both; only the name differs. */
  @ParameterizedTest
  @CsvSource({"localhost, 200", "elsewhere.test, 502"})
  void oneWhoseCertificateIsForAnotherNameIsNot(String name, int status) throws Exception {
    var authority = CertificateAuthority.generate("root", Instant.now(), Duration.ofDays(1));
    KeyPair key = CertificateAuthority.keyPair();
    X509Certificate signed =
        authority.sign(
            new CertificateAuthority.Subject(name, List.of(name)),
            key.getPublic(),
            Instant.now(),
            Duration.ofDays(1));
    Path root = pem("root.pem", Pem.of(authority.certificate()));
    var tls =
        new Tls(pem("signed.pem", Pem.of(signed)), pem("signed-key.pem", Pem.of(key.getPrivate())));
    HttpServer other = serve(Scope.of("other", World.real(Log.silent())), tls);
    try (Rig rig =
        Rig.trusting(folder.resolve("edge"), "https://localhost:" + other.port(), root)) {
      HttpResponse<String> answer = rig.get("/x");
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
      assertThat(answer.body().equals("secret")).isEqualTo(status == 200);
    } finally {
      end(other);
    }
  }

  private Path pem(String file, String text) throws IOException {
    Path path = Files.writeString(folder.resolve(file), text);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    return path;
  }

  private String url() {
    return "https://localhost:" + origin.port();
  }
}
