package dev.ron.node.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.config.value.HostPort;
import dev.ron.http.tls.CertificateAuthority;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Gets a cluster's authority from one of its machines, by the fingerprint that an invitation gives.
 *
 * <p>Nothing is said on the connection: what is believed from then on is the certificate with that
 * fingerprint, and requests go over connections that are checked against it.
 *
 * <p>Threading: immutable.
 *
 * @param authority what it is to be
 * @param ownAddress of this machine on the way there
 */
record PinnedAuthority(X509Certificate authority, String ownAddress) {
  private static final int LIMIT_MILLIS = 5000;

  static PinnedAuthority of(String address, String fingerprint) throws IOException {
    HostPort at = HostPort.parse(address);
    var pin = new Pin(fingerprint);
    try (var plain = new Socket()) {
      plain.connect(new InetSocketAddress(at.host(), at.port()), LIMIT_MILLIS);
      plain.setSoTimeout(LIMIT_MILLIS);
      var context = SSLContext.getInstance("TLSv1.3");
      context.init(null, new TrustManager[] {pin}, new SecureRandom());
      try (var secure =
          (SSLSocket) context.getSocketFactory().createSocket(plain, at.host(), at.port(), true)) {
        secure.startHandshake();
        X509Certificate found = pin.found.get();
        if (found == null) {
          throw new IOException(address + " shows no certificate");
        }
        return new PinnedAuthority(found, plain.getLocalAddress().getHostAddress());
      }
    } catch (GeneralSecurityException e) {
      throw new IOException("this Java speaks no TLS 1.3", e);
    }
  }

  /** Takes the one authority, behind whatever it signed. */
  private static final class Pin implements X509TrustManager {
    private final String fingerprint;
    private final AtomicReference<@Nullable X509Certificate> found = new AtomicReference<>();

    Pin(String fingerprint) {
      this.fingerprint = fingerprint;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      X509Certificate last = chain[chain.length - 1];
      if (!MessageDigest.isEqual(
          CertificateAuthority.fingerprint(last).getBytes(UTF_8), fingerprint.getBytes(UTF_8))) {
        throw new CertificateException("the machine there is of another cluster");
      }
      try {
        chain[0].verify(last.getPublicKey());
      } catch (GeneralSecurityException strange) {
        throw new CertificateException("the machine there is not of its cluster", strange);
      }
      found.set(last);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("no client is expected");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
