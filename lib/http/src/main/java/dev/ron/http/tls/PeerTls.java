package dev.ron.http.tls;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How the machines of one cluster prove themselves to each other: each has a certificate of one
 * authority, and takes no connection to or from a machine without.
 *
 * <p>The files are looked at again with each connection that begins, so a certificate that was
 * renewed is shown and one that was revoked is refused without a restart.
 *
 * <p>Threading: immutable.
 *
 * @param certificates PEM file of this machine's certificate and what leads from it to the
 *     authority
 * @param key PEM file of its key, PKCS#8
 * @param authority PEM file of the only authority whose certificates count
 * @param revoked text file of the serial numbers that do not count any more, one a line in
 *     hexadecimal; one that is named must be there, be it empty
 */
public record PeerTls(Path certificates, Path key, Path authority, Optional<Path> revoked) {
  private static final String PROTOCOL = "TLSv1.3";

  public PeerTls(Path certificates, Path key, Path authority) {
    this(certificates, key, authority, Optional.empty());
  }

  /** What both sides of a connection are checked by, for servers and clients of other libraries. */
  public PeerIdentity identity() throws IOException {
    return PeerIdentity.read(this);
  }

  /** Refuses a peer that does not show a certificate of the authority. */
  SslContextBuilder server() throws IOException {
    PeerIdentity identity = identity();
    return SslContextBuilder.forServer(identity.keys())
        .trustManager(identity.trust())
        .clientAuth(ClientAuth.REQUIRE);
  }

  /**
   * Shows this machine's certificate, and speaks only to a server whose own is of the authority.
   *
   * <p>By the JDK's provider, as every client here.
   */
  public SslContext client() throws IOException {
    PeerIdentity identity = identity();
    return SslContextBuilder.forClient()
        .sslProvider(SslProvider.JDK)
        .protocols(PROTOCOL)
        .keyManager(identity.keys())
        .trustManager(identity.trust())
        .applicationProtocolConfig(Tls.ALPN)
        .build();
  }
}
