package dev.ron.node.up;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.tls.CertificateAuthority;
import dev.ron.http.tls.PeerIdentity;
import dev.ron.http.tls.PeerTls;
import dev.ron.http.tls.Pem;
import dev.ron.node.cluster.ClusterMachine;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/**
 * The ports between machines, as clients meet them that are none: they speak to certificates of the
 * cluster that are in time, and to nothing else.
 *
 * <p>Threading: owned by the test.
 *
 * @param folder where the keys of clients go
 * @param keys of a machine, under its data
 */
record MachinePorts(Path folder, Path keys, String host, int basePort) {
  private static final List<Integer> PLACES =
      List.of(
          ClusterMachine.MAILBOX_LOG,
          ClusterMachine.NAMES_LOG,
          ClusterMachine.OBJECTS,
          ClusterMachine.BLOCKS,
          ClusterMachine.GATEWAY,
          ClusterMachine.MACHINES);
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final byte TLS_ALERT = 0x15;

  void speakToMachinesAlone() throws Exception {
    CertificateAuthority authority =
        CertificateAuthority.read(keys.resolve("authority.pem"), keys.resolve("authority.key"));
    Instant now = Instant.now();
    CertificateAuthority other =
        CertificateAuthority.generate("ron cluster home", now, Duration.ofDays(9));
    PeerTls member = new PeerTls(file("machine.pem"), file("machine.key"), file("authority.pem"));
    PeerTls stranger = made("stranger", other, now);
    PeerTls expired = made("expired", authority, now.minus(Duration.ofDays(20)));
    for (int place : PLACES) {
      assertThat(isSpokenTo(place, member.identity(), true)).as("+%d a machine", place).isTrue();
      assertThat(isSpokenTo(place, member.identity(), false)).as("+%d none", place).isFalse();
      assertThat(isSpokenTo(place, stranger.identity(), true)).as("+%d other", place).isFalse();
      assertThat(isSpokenTo(place, expired.identity(), true)).as("+%d expired", place).isFalse();
      assertThat(isPlain(place)).as("+%d without TLS", place).isFalse();
    }
  }

  private Path file(String name) {
    return keys.resolve(name);
  }

  private PeerTls made(String name, CertificateAuthority by, Instant from) throws IOException {
    KeyPair pair = CertificateAuthority.keyPair();
    var subject = new CertificateAuthority.Subject("b", List.of(host));
    Path certificate = folder.resolve(name + ".pem");
    Path key = folder.resolve(name + ".key");
    Files.writeString(
        certificate,
        Pem.of(by.sign(subject, pair.getPublic(), from, Duration.ofDays(10)), by.certificate()));
    Files.writeString(key, Pem.of(pair.getPrivate()));
    return new PeerTls(certificate, key, file("authority.pem"));
  }

  /** A server of TLS 1.3 says what it thinks of a certificate where its first bytes would be. */
  private boolean isSpokenTo(int place, PeerIdentity as, boolean shown)
      throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        shown ? new KeyManager[] {as.keys()} : null, new TrustManager[] {as.trust()}, null);
    try (var socket = (SSLSocket) context.getSocketFactory().createSocket(host, basePort + place)) {
      socket.setSoTimeout((int) LIMIT.toMillis());
      SSLParameters both = socket.getSSLParameters();
      both.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(both);
      socket.startHandshake();
      return socket.getInputStream().read() >= 0;
    } catch (SocketTimeoutException held) {
      throw new AssertionError("+%d neither speaks nor refuses".formatted(place), held);
    } catch (IOException refused) {
      return false;
    }
  }

  private boolean isPlain(int place) throws IOException {
    try (var socket = new Socket(host, basePort + place)) {
      socket.setSoTimeout((int) LIMIT.toMillis());
      socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII));
      int first = socket.getInputStream().read();
      return first >= 0 && first != TLS_ALERT;
    } catch (SocketTimeoutException held) {
      throw new AssertionError("+%d neither speaks nor refuses".formatted(place), held);
    } catch (IOException refused) {
      return false;
    }
  }
}
