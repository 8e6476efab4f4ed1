package dev.ron.mailbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.tls.DevCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines that know each other by certificates; {@code ron cert dev} makes one for loopback. */
final class ClusterTlsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** What an HTTP/2 client says first. */
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
          .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);

  /** The kind of an HTTP/2 frame that a server begins with. */
  private static final int SETTINGS = 4;

  @TempDir private Path folder;

  @Test
  void peersNeedACertificateOfTheAuthority() throws Exception {
    DevCertificate made = DevCertificate.make(folder.resolve("tls"));
    String cert = "cluster.tls.cert=" + made.certificate();
    String key = "cluster.tls.key=" + made.key();
    String authority = "cluster.tls.ca=" + made.certificate();
    try (var members = new Members(folder)) {
      members.peers.remove("c");
      members.start("a", cert, key, authority);
      members.start("b", cert, key, authority);
      members.awaitReady("a");
      members.awaitReady("b");
      members.send("a", "t", "1");
      members.send("b", "t", "2");

      int port = members.peerPort("a");
      assertThat(saidInTheClear(port)).as("no settings in the clear").isNotEqualTo(SETTINGS);
      assertThatThrownBy(() -> withoutCertificate(port, made.certificate()))
          .as("TLS, but nobody that is known")
          .isInstanceOf(IOException.class);
    }
  }

  /** So that the silence above is known to be the certificates' doing. */
  @Test
  void onLoopbackPeersMayTalkInTheClear() throws Exception {
    try (var members = new Members(folder)) {
      members.peers.keySet().retainAll(List.of("a"));
      members.start("a");
      members.awaitReady("a");
      int port = members.peerPort("a");
      assertThat(saidInTheClear(port)).isEqualTo(SETTINGS);
    }
  }

  @Test
  void aFileThatIsNotThereIsNamed() throws Exception {
    DevCertificate made = DevCertificate.make(folder.resolve("tls"));
    try (var members = new Members(folder)) {
      assertThatThrownBy(
              () ->
                  members.start(
                      "a",
                      "cluster.tls.cert=" + made.certificate(),
                      "cluster.tls.key=" + made.key(),
                      "cluster.tls.ca=" + folder.resolve("nowhere.pem")))
          .hasMessageContaining("nowhere.pem");
    }
  }

  /** The kind of the first frame that comes back; -1 if none does. */
  private static int saidInTheClear(int port) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
      socket.getOutputStream().write(PREFACE);
      byte[] head = socket.getInputStream().readNBytes(4);
      return head.length < 4 ? -1 : head[3];
    } catch (java.net.SocketException reset) {
      return -1;
    }
  }

  /** Trusts the server and shows nothing of its own; the first read tells what that is worth. */
  private static void withoutCertificate(int port, Path authority) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(authority)) {
      trusted.setCertificateEntry(
          "authority", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    try (var socket =
        (SSLSocket)
            context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
      var parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      socket.getOutputStream().write(PREFACE);
      if (socket.getInputStream().readNBytes(4).length < 4) {
        throw new IOException("closed");
      }
    }
  }
}
