package dev.ron.http.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts the certificates that it is told, and no others: for a process that asks its own doors. It
 * knows what they show, so neither an authority nor the name in it says anything more; a name in a
 * certificate is for clients, who dial another one.
 *
 * <p>Threading: as its supplier.
 */
public final class PinnedCertificates extends X509ExtendedTrustManager {
  private final Supplier<? extends Collection<X509Certificate>> pinned;

  /**
   * @param pinned asked at each handshake: a certificate may be replaced
   */
  public PinnedCertificates(Supplier<? extends Collection<X509Certificate>> pinned) {
    this.pinned = pinned;
  }

  private void requirePinned(X509Certificate[] chain) throws CertificateException {
    if (chain.length == 0 || !pinned.get().contains(chain[0])) {
      throw new CertificateException("not a certificate of a door of this process");
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType)
      throws CertificateException {
    requirePinned(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType, Socket socket)
      throws CertificateException {
    requirePinned(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType, SSLEngine engine)
      throws CertificateException {
    requirePinned(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String keyType)
      throws CertificateException {
    throw noClients();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String keyType, Socket socket)
      throws CertificateException {
    throw noClients();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String keyType, SSLEngine engine)
      throws CertificateException {
    throw noClients();
  }

  private static CertificateException noClients() {
    return new CertificateException("a server is asked, no client");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
