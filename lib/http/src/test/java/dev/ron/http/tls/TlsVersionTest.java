package dev.ron.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Inline;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.route.Routes;
import dev.ron.http.testing.TestServer;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which versions and suites a door agrees on with its clients. */
@Timeout(30)
final class TlsVersionTest {
  private static final String OLD = "TLSv1.2";
  private static final String NEW = "TLSv1.3";

  private final CertificateAuthority authority =
      CertificateAuthority.generate("a cluster", Instant.now(), Duration.ofDays(1));

  @TempDir private Path folder;
  private Path certificate;
  private Path key;

  @BeforeEach
  void writes() throws IOException {
    KeyPair keys = CertificateAuthority.keyPair();
    var subject = new CertificateAuthority.Subject("a", List.of("127.0.0.1"));
    certificate = folder.resolve("cert.pem");
    key = folder.resolve("key.pem");
    Files.writeString(
        certificate,
        Pem.of(authority.sign(subject, keys.getPublic(), Instant.now(), Duration.ofDays(1))));
    Files.writeString(key, Pem.of(keys.getPrivate()));
    Files.writeString(folder.resolve("ca.pem"), Pem.of(authority.certificate()));
  }

  private static TestServer serving(Tls tls) throws Exception {
    Inline hello = exchange -> exchange.answer(Answer.text(200, "hello\n"));
    return new TestServer(
        HttpServerConfig.on("127.0.0.1", 0).with(tls), Routes.of().get("/", "hello", hello));
  }

  private SSLSocket call(TestServer server, String version) throws Exception {
    var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null);
    trusted.setCertificateEntry("a", authority.certificate());
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    var socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", server.port());
    socket.setEnabledProtocols(new String[] {version});
    return socket;
  }

  /** Shakes hands and is answered. */
  private static SSLSession asked(SSLSocket socket) throws IOException {
    socket.startHandshake();
    socket
        .getOutputStream()
        .write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    var answer = new StringBuilder();
    while (!answer.toString().endsWith("hello\n")) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        throw new EOFException("the door hung up");
      }
      answer.append((char) next);
    }
    assertThat(answer).startsWith("HTTP/1.1 200");
    return socket.getSession();
  }

  private Tls forAnyClient() throws IOException {
    assumeTrue(OpenSsl.isAvailable(), "NOT RUN: no BoringSSL binary fits this machine");
    return Tls.forAnyClient(certificate, key);
  }

  @Test
  void aDoorForAnyClientSpeaksBothVersions() throws Exception {
    try (TestServer server = serving(forAnyClient())) {
      for (String version : List.of(OLD, NEW)) {
        try (SSLSocket socket = call(server, version)) {
          SSLSession session = asked(socket);
          assertThat(session.getProtocol()).isEqualTo(version);
          assertThat(session.getCipherSuite()).matches("TLS_(ECDHE_ECDSA_WITH_)?AES_.*_GCM_.*");
        }
      }
    }
  }

  @Test
  void theOldVersionHasNoSuiteWhoseRecordsCanBeChanged() throws Exception {
    try (TestServer server = serving(forAnyClient());
        SSLSocket socket = call(server, OLD)) {
      socket.setEnabledCipherSuites(
          new String[] {
            "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA"
          });
      assertThatThrownBy(() -> asked(socket)).isInstanceOf(SSLException.class);
    }
  }

  /** Each costs the server far more than the client. */
  @Test
  void aClientShakesHandsOnce() throws Exception {
    try (TestServer server = serving(forAnyClient());
        SSLSocket socket = call(server, OLD)) {
      asked(socket);
      assertThatThrownBy(() -> asked(socket)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void machinesAndDoorsByTheJdkSpeakTheNewestAlone() throws Exception {
    for (Tls tls :
        List.of(
            new Tls(certificate, key),
            Tls.forAnyClient(certificate, key, SslProvider.JDK),
            new Tls(new PeerTls(certificate, key, folder.resolve("ca.pem"))))) {
      try (TestServer server = serving(tls);
          SSLSocket socket = call(server, OLD)) {
        assertThatThrownBy(() -> asked(socket)).isInstanceOf(SSLException.class);
      }
    }
    try (TestServer server = serving(new Tls(certificate, key));
        SSLSocket socket = call(server, NEW)) {
      assertThat(asked(socket).getProtocol()).isEqualTo(NEW);
    }
  }
}
