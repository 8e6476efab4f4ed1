package dev.ron.http.tls;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts the certificates that it is told: for a process that asks its own doors. It knows what
 * they show, so neither an authority nor the name in it says anything more; a name in a certificate
 * is for clients, who dial another one. One that asks servers elsewhere too trusts those by the
 * authorities and the names that the JDK goes by.
 *
 * <p>Threading: as its supplier.
 */
public final class PinnedCertificates extends X509ExtendedTrustManager {
  private final Supplier<? extends Collection<X509Certificate>> pinned;

  /** Null where no other certificate is trusted. */
  private final @Nullable X509ExtendedTrustManager others;

  /** Trusts these and no others. */
  public PinnedCertificates(Supplier<? extends Collection<X509Certificate>> pinned) {
    this(pinned, null);
  }

  private PinnedCertificates(
      Supplier<? extends Collection<X509Certificate>> pinned,
      @Nullable X509ExtendedTrustManager others) {
    this.pinned = pinned;
    this.others = others;
  }

  /**
   * Trusts these, and others as the JDK does.
   *
   * @param pinned asked at each handshake: a certificate may be replaced
   */
  public static PinnedCertificates besideOthers(
      Supplier<? extends Collection<X509Certificate>> pinned) {
    return new PinnedCertificates(pinned, ofTheJdk());
  }

  private static X509ExtendedTrustManager ofTheJdk() {
    try {
      var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init((KeyStore) null);
      return Stream.of(factory.getTrustManagers())
          .filter(X509ExtendedTrustManager.class::isInstance)
          .map(X509ExtendedTrustManager.class::cast)
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("the JDK trusts no certificates"));
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("the JDK cannot say which certificates it trusts", missing);
    }
  }

  private boolean isPinned(X509Certificate[] chain) throws CertificateException {
    if (chain.length > 0 && pinned.get().contains(chain[0])) {
      return true;
    }
    if (others == null) {
      throw new CertificateException("not a certificate of a door of this process");
    }
    return false;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType)
      throws CertificateException {
    if (!isPinned(chain) && others != null) {
      others.checkServerTrusted(chain, keyType);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType, Socket socket)
      throws CertificateException {
    if (!isPinned(chain) && others != null) {
      others.checkServerTrusted(chain, keyType, socket);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType, SSLEngine engine)
      throws CertificateException {
    if (!isPinned(chain) && others != null) {
      others.checkServerTrusted(chain, keyType, engine);
    }
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
    return others == null ? new X509Certificate[0] : others.getAcceptedIssuers();
  }
}
