package dev.ron.http.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.Refusal;
import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An answer without a length, whose end is that of its connection. Over TLS that has to be said
 * (RFC 9112, 9.8): on the way between the two a connection can be closed at any byte.
 */
@Timeout(60)
final class TruncatedAnswerTest {
  private static final Scope SCOPE = Scope.of("client", World.real(Log.silent()));

  @TempDir private Path folder;

  /** How an answer ends, and what its reader makes of it. */
  @ParameterizedTest
  @CsvSource({"https, said, whole", "https, silent, cut", "http, silent, whole"})
  void itIsWholeOverTlsIfItsServerSaysSo(String scheme, String end, String outcome)
      throws Exception {
    DevCertificate own = DevCertificate.make(folder, Instant.now());
    var config =
        HttpClientConfig.standard()
            .with(AddressPolicy.PUBLIC_OR_LOOPBACK)
            .trusting(own.certificate());
    try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var client = new HttpClient(SCOPE, config)) {
      SSLContext tls = scheme.equals("https") ? tls(own) : null;
      Thread.startVirtualThread(() -> answer(listener, tls, end.equals("silent")));
      URI uri = URI.create(scheme + "://localhost:" + listener.getLocalPort() + "/");
      Deadline soon = Deadline.in(Duration.ofSeconds(10), SCOPE.time());
      try (ClientAnswer answer = client.send(ClientRequest.get(uri), soon)) {
        if (outcome.equals("whole")) {
          assertThat(answer.collect(100)).asString(US_ASCII).isEqualTo("half");
        } else {
          assertThatThrownBy(() -> answer.collect(100))
              .isInstanceOf(Refusal.class)
              .hasMessageContaining("the connection ended in the middle of an answer");
        }
      }
    }
  }

  /**
   * @param silent the connection ends below TLS, which says nothing of it
   */
  private static void answer(ServerSocket listener, SSLContext tls, boolean silent) {
    try (Socket plain = listener.accept();
        Socket talk = tls == null ? plain : server(tls, plain)) {
      for (int last = 0; last != 0x0d0a0d0a; ) {
        last = last << 8 | talk.getInputStream().read();
      }
      talk.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\nhalf".getBytes(US_ASCII));
      if (silent) {
        plain.shutdownOutput();
      }
    } catch (IOException gone) {
      // the client tells
    }
  }

  private static SSLSocket server(SSLContext tls, Socket plain) throws IOException {
    var socket = (SSLSocket) tls.getSocketFactory().createSocket(plain, "localhost", 0, false);
    socket.setUseClientMode(false);
    return socket;
  }

  private static SSLContext tls(DevCertificate own) throws IOException, GeneralSecurityException {
    PemPair pair = PemPair.read(own.certificate(), own.key());
    var keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry("own", pair.key(), new char[0], pair.chain());
    var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, new char[0]);
    var context = SSLContext.getInstance("TLSv1.3");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }
}
