package dev.ron.http.tls;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Path;

/**
 * How the machines of one cluster prove themselves to each other: each has a certificate of one
 * authority, and takes no connection to or from a machine without.
 *
 * <p>Threading: immutable; the files are read whenever a context is made.
 *
 * @param certificates PEM file of this machine's certificate and what leads from it to the
 *     authority
 * @param key PEM file of its key, PKCS#8
 * @param authority PEM file of the only authority whose certificates count
 */
public record PeerTls(Path certificates, Path key, Path authority) {
  private static final String PROTOCOL = "TLSv1.3";

  /** Refuses a peer that does not show a certificate of the authority. */
  SslContextBuilder server() throws IOException {
    var pair = PemPair.read(certificates, key);
    return SslContextBuilder.forServer(pair.key(), pair.chain())
        .trustManager(PemPair.certificates(authority))
        .clientAuth(ClientAuth.REQUIRE);
  }

  /**
   * Shows this machine's certificate, and speaks only to a server whose own is of the authority.
   *
   * <p>By the JDK's provider, as every client here.
   */
  public SslContext client() throws IOException {
    var pair = PemPair.read(certificates, key);
    return SslContextBuilder.forClient()
        .sslProvider(SslProvider.JDK)
        .protocols(PROTOCOL)
        .keyManager(pair.key(), pair.chain())
        .trustManager(PemPair.certificates(authority))
        .applicationProtocolConfig(Tls.ALPN)
        .build();
  }
}
