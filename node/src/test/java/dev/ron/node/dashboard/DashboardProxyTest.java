package dev.ron.node.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.route.Routes;
import dev.ron.http.tls.PinnedCertificates;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import dev.ron.testkit.RecordingOrigin;
import dev.ron.testkit.Seeds;
import dev.ron.testkit.WireProbe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** What a service hears through the dashboard's passage. */
final class DashboardProxyTest {
  private static final int SEEDS = 4;
  private static final int PROBES = 20;

  @Test
  void aServiceHearsWhatWasAnnouncedAndNothingElse() {
    Seeds.forEach(
        SEEDS,
        (seed, random) -> {
          var scope = Scope.of("admin", World.real(Log.silent()));
          Map<WireProbe, String> answered = new LinkedHashMap<>();
          try (var origin = new RecordingOrigin()) {
            var passage =
                new DashboardProxy(
                    scope,
                    _ -> Optional.of(URI.create(origin.url())),
                    _ -> "us-east-1",
                    new PinnedCertificates(List::of));
            var server =
                new HttpServer(
                    scope, HttpServerConfig.on("127.0.0.1", 0), passage.into(Routes.of()));
            server.open();
            try {
              for (int id = 0; id < PROBES; id++) {
                WireProbe probe =
                    WireProbe.of(
                        id, random, List.of("gzip"), DashboardProxyTest::gzip, WireProbe.methods());
                answered.put(probe, probe.send(server.port(), "/api/any"));
              }
            } finally {
              server.close(Deadline.in(Duration.ZERO, scope.time()));
              passage.release();
            }
            WireProbe.check(origin, answered);
            assertThat(answered).as("seed %d", seed).containsValue("200");
          }
        });
  }

  private static byte[] gzip(String coding, byte[] plain) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var to = new GZIPOutputStream(out)) {
      to.write(plain);
    }
    return out.toByteArray();
  }
}
