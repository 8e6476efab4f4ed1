package dev.ron.http.server.exchange;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;

/** What the peer of a connection has shown of itself. */
final class PeerCertificate {
  private PeerCertificate() {}

  /**
   * @param stream of an HTTP/2 connection, or the connection itself
   */
  static Optional<X509Certificate> of(Channel stream) {
    Channel connection = stream;
    while (connection.pipeline().get(SslHandler.class) == null) {
      connection = connection.parent();
      if (connection == null) {
        return Optional.empty();
      }
    }
    try {
      var session = connection.pipeline().get(SslHandler.class).engine().getSession();
      return Optional.of((X509Certificate) session.getPeerCertificates()[0]);
    } catch (SSLPeerUnverifiedException none) {
      return Optional.empty();
    }
  }
}
