package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.tls.DevCertificate;
import dev.ron.testkit.RawClient;
import dev.ron.testkit.SeedRow;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Routes and quanta change under load, and no request is lost by it. */
final class ReloadTest {
  @TempDir private Path folder;

  @Test
  @SeedRow("G03")
  void aReloadUnderLoadDropsNothing() throws Exception {
    try (Backend first = new Backend(Duration.ofMillis(5), 0);
        Backend second = new Backend(Duration.ofMillis(5), 0);
        Rig rig = Rig.open(settings(first.port(), 4, 1))) {
      List<Client> clients = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        clients.add(Client.loud(rig.port(), "/work", "X-Tenant: t" + i % 3));
      }
      for (int turn = 0; turn < 30; turn++) {
        int port = turn % 2 == 0 ? second.port() : first.port();
        rig.wired.reload().accept(Rig.config(settings(port, 1 + turn % 5, 1 + turn % 4)));
        Rig.pause(30);
      }
      clients.forEach(Client::stop);
      for (Client client : clients) {
        client.join();
        assertThat(client.wrong).isEmpty();
        assertThat(client.answered.get()).isPositive();
      }
      assertThat(first.served.get()).isPositive();
      assertThat(second.served.get()).isPositive();
      assertThat(Rig.soon(rig::isQuiet)).isTrue();
    }
  }

  private static String[] settings(int port, int places, int quantum) {
    return new String[] {
      "drr.tenant_header=X-Tenant",
      "drr.tenant_quanta={ \"header/t0\" = " + quantum + " }",
      Rig.route("timeout=\"20s\",max_concurrent=" + places, port)
    };
  }

  @Test
  @SeedRow("G35")
  void whatChangesHoldsFromTheNextRequestOn() throws Exception {
    try (Backend backend = new Backend();
        Rig rig = Rig.standing(null, "routes=[" + Rig.table("/a", "", backend.port()) + "]")) {
      assertThat(rig.get("/a")).contains(" 200 ");
      assertThat(rig.get("/b")).contains(" 404 ");
      rig.wired
          .reload()
          .accept(
              Rig.config("limits.rps=10", "routes=[" + Rig.table("/b", "", backend.port()) + "]"));
      assertThat(rig.get("/b")).contains(" 200 ");
      assertThat(rig.get("/a")).as("counts too").contains(" 404 ");
      String answer = rig.get("/b");
      for (int i = 0; i < 100 && answer.contains(" 200 "); i++) {
        answer = rig.get("/b");
      }
      assertThat(answer).contains(" 429 ");
    }
  }

  @Test
  void morePlacesAreHandedOutAtOnce() throws Exception {
    try (Backend backend = new Backend(Duration.ofMillis(1), 0);
        Rig rig = Rig.open(settings(backend.port(), 1, 1));
        RawClient holds = rig.connect();
        RawClient waits = rig.connect()) {
      holds.send("GET /hang HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(Rig.soon(() -> backend.hanging.get() == 1)).isTrue();
      waits.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
      String depth = "gateway_drr_queue_depth{tenant=\"anonymous\"}";
      assertThat(Rig.soon(() -> rig.metric(depth) == 1)).isTrue();
      rig.wired.reload().accept(Rig.config(settings(backend.port(), 2, 1)));
      assertThat(waits.answer()).contains(" 200 ");
    }
  }

  @Test
  void aRenewedCertificateIsShownToNewConnectionsAndABrokenOneIsNot() throws Exception {
    DevCertificate pair = DevCertificate.make(folder, Instant.now());
    String[] settings = {
      "tls_certificate=" + pair.certificate(), "tls_key=" + pair.key(), "routes=[]"
    };
    try (Rig rig = Rig.open(settings)) {
      Certificate first = shown(rig);
      DevCertificate.make(folder, Instant.now());
      assertThat(shown(rig)).as("before the reload").isEqualTo(first);
      rig.wired.door().readCertificateAgain();
      Certificate second = shown(rig);
      assertThat(second).isNotEqualTo(first);
      Files.writeString(pair.certificate(), "half of a cer");
      rig.wired.door().readCertificateAgain();
      assertThat(shown(rig)).isEqualTo(second);
    }
  }

  private Certificate shown(Rig rig) throws Exception {
    var shown = new AtomicReference<Certificate>();
    var anyone = SSLContext.getInstance("TLS");
    anyone.init(null, new TrustManager[] {new Taking(shown)}, null);
    try (var socket = (SSLSocket) anyone.getSocketFactory().createSocket("127.0.0.1", rig.port())) {
      socket.setSoTimeout(10_000);
      socket.startHandshake();
    }
    return shown.get();
  }

  /** Trusts everything and remembers it. */
  private static final class Taking extends X509ExtendedTrustManager {
    private final AtomicReference<Certificate> shown;

    Taking(AtomicReference<Certificate> shown) {
      this.shown = shown;
    }

    private void take(X509Certificate[] chain) {
      shown.set(chain[0]);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
      take(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
      take(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
      take(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
