package dev.ron.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.GatewayConfig;
import dev.ron.gateway.GatewayRoute;
import dev.ron.http.tls.DevCertificate;
import dev.ron.kernel.time.Deadline;
import dev.ron.rewarder.RewarderConfig;
import dev.ron.testkit.FreePorts;
import dev.ron.testkit.RawClient;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every door of a node over TLS, and at a socket besides. */
@Timeout(180)
final class SecuredDoorsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;

  /**
   * @param section of its settings
   * @param path that it answers
   * @param status of the answer: the door of SQS has no path of its own, and knows no caller
   *     without a signature
   */
  private record SecuredDoor(String service, String section, String path, int status) {
    Path socket(Path folder) {
      return folder.resolve("sockets").resolve(service);
    }
  }

  private static final List<SecuredDoor> DOORS =
      List.of(
          new SecuredDoor("gateway", "gateway", "/readyz", 200),
          new SecuredDoor("edge", "edge", "/readyz", 200),
          new SecuredDoor("mailbox", "mailbox", "/readyz", 200),
          new SecuredDoor("storage", "storage", "/readyz", 200),
          new SecuredDoor("rewarder", "rewarder", "/readyz", 200),
          new SecuredDoor("s3", "storage.s3", "/", 200),
          new SecuredDoor("sqs", "mailbox.sqs", "/", 403));

  private static HttpClient trusting(Path pem) throws Exception {
    Certificate certificate;
    try (var in = Files.newInputStream(pem)) {
      certificate = CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("door", certificate);
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  private static HttpResponse<String> ask(HttpClient http, HttpRequest.Builder request)
      throws Exception {
    return http.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpRequest.Builder to(String url) {
    return HttpRequest.newBuilder(URI.create(url));
  }

  private static String overSocket(Path socket, String path) throws IOException {
    try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.write(
          ByteBuffer.wrap(
              ("GET " + path + " HTTP/1.1\r\nHost: any.example\r\nConnection: close\r\n\r\n")
                  .getBytes(ISO_8859_1)));
      return new String(Channels.newInputStream(channel).readAllBytes(), ISO_8859_1);
    }
  }

  private Map<String, String> settings(DevCertificate pair) throws IOException {
    var settings = new HashMap<String, String>();
    settings.put("node.base_port", Integer.toString(FreePorts.row(AdminConfig.PORT_OFFSET + 1)));
    settings.put("rewarder.require_signed_policy", "false");
    String uid = Files.getAttribute(folder, "unix:uid").toString();
    for (SecuredDoor door : DOORS) {
      settings.put(door.section() + ".tls_certificate", pair.certificate().toString());
      settings.put(door.section() + ".tls_key", pair.key().toString());
      settings.put(door.section() + ".uds", door.socket(folder).toString());
      settings.put(door.section() + ".uds_uids", uid);
    }
    return settings;
  }

  @Test
  void everyServiceAnswersOverTlsAndAtItsSocketAndTheNodeFindsItsOwnDoors() throws Exception {
    assertThat(DOORS.stream().map(SecuredDoor::service))
        .containsExactlyInAnyOrderElementsOf(
            Services.all().stream().map(ServiceKind::name).toList());
    DevCertificate pair = DevCertificate.make(folder.resolve("tls"), Instant.now());
    try (RunningNode node = RunningNode.start(folder.resolve("data"), settings(pair))) {
      try (HttpClient http = trusting(pair.certificate())) {
        for (SecuredDoor door : DOORS) {
          String url = node.url(door.service());
          assertThat(url).startsWith("https://");
          assertThat(ask(http, to(url + door.path())).statusCode())
              .as(door.service())
              .isEqualTo(door.status());
          assertThat(inCleartext(URI.create(url).getPort(), door.path()))
              .as(door.service() + " in cleartext")
              .doesNotContain("HTTP/1.1");
          assertThat(overSocket(door.socket(folder), door.path()))
              .as(door.service() + " at its socket")
              .startsWith("HTTP/1.1 " + door.status() + " ");
        }
        assertThat(epoch(http, node)).startsWith("200 ").contains("\"lines\":1");
        assertThat(ask(http, to(node.admin() + "/api/mailbox/readyz")).statusCode())
            .as("by the dashboard")
            .isEqualTo(200);
      }
      renewed(node, pair);
    }
    assertThat(DOORS.stream().map(door -> door.socket(folder))).noneMatch(Files::exists);
  }

  private static String inCleartext(int port, String path) throws Exception {
    try (var client = new RawClient(port)) {
      return client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").rest();
    }
  }

  /** The gateway asks storage and rewarder, and the rewarder asks the storage. */
  private static String epoch(HttpClient http, RunningNode node) throws Exception {
    String body =
        "{\"accounting\":\"%s\",\"ledger\":\"%s\",\"policy\":\"%s\",\"dry_run\":true}"
            .formatted(
                stored(http, node, "actor,metric,units\ndid:ron:1,m,1\n"),
                stored(http, node, "{\"pool_minor\":\"10\",\"asset\":\"ROC\",\"epoch\":\"e\"}"),
                stored(
                    http,
                    node,
                    "{\"id\":\"p\",\"version\":1,\"weights_ppm\":{\"m\":1},\"rounding\":"
                        + "\"largest-remainder\",\"min_payout_minor\":\"0\","
                        + "\"on_bad_line\":\"refuse\"}"));
    HttpResponse<String> said =
        ask(
            http,
            to(node.url("gateway") + "/rewarder/epochs/e/compute")
                .header("Authorization", "Bearer " + node.keys().adminToken())
                .header("Content-Type", "application/json")
                .header("Prefer", "wait=60")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    return said.statusCode() + " " + said.body();
  }

  private static String stored(HttpClient http, RunningNode node, String text) throws Exception {
    HttpResponse<String> said =
        ask(
            http,
            to(node.url("gateway") + "/o")
                .header("Authorization", "Bearer " + node.keys().adminToken())
                .POST(HttpRequest.BodyPublishers.ofString(text)));
    assertThat(said.statusCode()).as(said.body()).isEqualTo(201);
    String location = said.headers().firstValue("Location").orElseThrow();
    return location.substring(location.lastIndexOf('/') + 1);
  }

  /** A certificate that was replaced in place is shown by every door after a reload. */
  private void renewed(RunningNode node, DevCertificate pair) throws Exception {
    DevCertificate.make(folder.resolve("tls"), Instant.now());
    node.node().reload().await(Deadline.NEVER);
    try (HttpClient http = trusting(pair.certificate())) {
      for (SecuredDoor door : DOORS) {
        assertThat(ask(http, to(node.url(door.service()) + door.path())).statusCode())
            .as(door.service() + " with a new certificate")
            .isEqualTo(door.status());
      }
    }
  }

  @Test
  void routesAndInputsThatAreNotConfiguredFollowTheDoorsOfTheNode() {
    NodeSettings moved =
        NodeSettings.load(
            Map.of(
                "storage.bind", "0.0.0.0:7001",
                "mailbox.bind", "127.0.0.2:7002",
                "mailbox.tls_certificate", "/etc/ron/door.pem",
                "mailbox.tls_key", "/etc/ron/door.key"),
            Map.of(),
            Optional.empty());
    assertThat(moved.config(RewarderConfig.class).inputs().storageUrl())
        .isEqualTo("http://127.0.0.1:7001");
    assertThat(moved.config(GatewayConfig.class).routes())
        .flatExtracting(GatewayRoute::upstreams)
        .containsExactly(
            "http://127.0.0.1:7001",
            "https://127.0.0.2:7002",
            "http://127.0.0.1:8081",
            "http://127.0.0.1:8084");
  }
}
