package dev.ron.mailbox;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** What the port that peers talk over says to a stranger. */
final class PeerPort {
  /** The kind of an HTTP/2 frame that a server begins with. */
  static final int SETTINGS = 4;

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** What an HTTP/2 client says first. */
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
          .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);

  private PeerPort() {}

  /** The kind of the first frame that comes back; -1 if none does. */
  static int saidInTheClear(int port) throws IOException {
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
  static int saidToAnybody(int port, Path authority) throws Exception {
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
      byte[] head = socket.getInputStream().readNBytes(4);
      if (head.length < 4) {
        throw new IOException("closed");
      }
      return head[3];
    }
  }
}
