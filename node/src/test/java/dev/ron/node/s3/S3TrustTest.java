package dev.ron.node.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.tls.CertificateAuthority;
import dev.ron.http.tls.DevCertificate;
import dev.ron.http.tls.Pem;
import dev.ron.node.RunningNode;
import dev.ron.node.Said;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** An S3 door with a certificate of its own, as the node itself and its commands ask it. */
@Timeout(120)
@ResourceLock(Resources.SYSTEM_OUT)
final class S3TrustTest {
  @TempDir private Path folder;

  /** It names a host that clients dial, and the dashboard dials an address. */
  @Test
  void theDashboardReachesADoorWhoseNameIsAnother() throws Exception {
    Instant now = Instant.now();
    Duration day = Duration.ofDays(1);
    KeyPair pair = CertificateAuthority.keyPair();
    var shop = new CertificateAuthority.Subject("shop", List.of("s3.shop.test"));
    X509Certificate signed =
        CertificateAuthority.generate("authority", now, day).sign(shop, pair.getPublic(), now, day);
    Path certificate = Files.writeString(folder.resolve("cert.pem"), Pem.of(signed));
    Path key = Files.writeString(folder.resolve("key.pem"), Pem.of(pair.getPrivate()));
    try (RunningNode node = node(certificate, key);
        HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> buckets =
          client.send(
              HttpRequest.newBuilder(URI.create(node.node().adminUrl() + "/signed/s3"))
                  .header("Authorization", "Bearer " + node.keys().adminToken())
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(buckets.body()).contains("<ListAllMyBucketsResult");
      assertThat(buckets.statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aCommandTrustsTheCertificatesOfAFile() throws Exception {
    DevCertificate pair = DevCertificate.make(folder.resolve("tls"), Instant.now());
    DevCertificate other = DevCertificate.make(folder.resolve("other"), Instant.now());
    try (RunningNode node = node(pair.certificate(), pair.key())) {
      Said made = s3(node, "mb", "s3://photos", "--ca", pair.certificate().toString());
      assertThat(made.exit()).as(made.err()).isZero();
      for (List<String> trust : List.of(List.<String>of(), ca(other))) {
        Said refused = s3(node, and(trust, "ls"));
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err())
            .startsWith("ron: no trusted connection to 127.0.0.1:")
            .contains("--ca")
            .doesNotContain("ron up");
      }
      Said unknown =
          s3(
              node,
              and(
                  ca(pair),
                  "mirror",
                  "s3://old",
                  "s3://new",
                  "--from-endpoint",
                  "http://Nowhere.invalid:9"));
      assertThat(unknown.err())
          .contains("nowhere.invalid has no address", "--from-endpoint")
          .doesNotContain("ron up");
      Said dead =
          s3(
              node,
              and(
                  ca(pair),
                  "mirror",
                  "s3://old",
                  "s3://new",
                  "--from-endpoint",
                  "http://127.0.0.1:9"));
      assertThat(dead.exit()).isEqualTo(1);
      assertThat(dead.err())
          .contains("cannot connect to 127.0.0.1:9", "--from-endpoint")
          .doesNotContain("ron up");
    }
  }

  private RunningNode node(Path certificate, Path key) throws Exception {
    return RunningNode.start(
        folder.resolve("data"),
        Map.of(
            "node.services",
            "storage",
            "storage.s3.tls_certificate",
            certificate.toString(),
            "storage.s3.tls_key",
            key.toString()));
  }

  private static List<String> ca(DevCertificate pair) {
    return List.of("--ca", pair.certificate().toString());
  }

  private static String[] and(List<String> more, String... args) {
    var all = new ArrayList<>(List.of(args));
    all.addAll(more);
    return all.toArray(String[]::new);
  }

  private static Said s3(RunningNode node, String... args) throws Exception {
    var all = new ArrayList<>(List.of("s3"));
    all.addAll(List.of(args));
    all.addAll(List.of("--endpoint", node.url("s3"), "--cap", node.keys().adminToken()));
    return Said.by(all.toArray(String[]::new));
  }
}
