package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Inline;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.route.Routes;
import dev.ron.http.tls.DevCertificate;
import dev.ron.http.tls.Tls;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import dev.ron.testkit.SeedRow;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An upstream over TLS is asked if its certificate is trusted, and for the name it is for. */
final class TrustedUpstreamTest {
  @TempDir private Path folder;
  private final Scope scope = Scope.of("origin", World.real(Log.silent()));
  private DevCertificate pair;
  private HttpServer origin;

  @BeforeEach
  void serve() throws Exception {
    pair = DevCertificate.make(folder, Instant.now());
    Inline answer =
        exchange -> exchange.answer(Answer.text(200, "secret").with("Cache-Control", "max-age=60"));
    origin =
        new HttpServer(
            scope,
            HttpServerConfig.on("127.0.0.1", 0)
                .with(Limits.OPEN)
                .with(new Tls(pair.certificate(), pair.key())),
            Routes.of().get("/x", "x", answer));
    origin.open();
  }

  @AfterEach
  void end() throws InterruptedException {
    origin.close(Deadline.in(Duration.ofSeconds(5), scope.time()));
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

  private String url() {
    return "https://localhost:" + origin.port();
  }
}
