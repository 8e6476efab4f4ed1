package dev.ron.http.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate this machine shows to its peers and the check of theirs, both as the files are
 * when a connection begins.
 *
 * <p>Files that do not fit together, as in the moment between the write of one and of the other,
 * leave what was read last, and so does one that is gone. None of them may be missing at the start:
 * a list of revoked certificates that was lost would let them in again.
 *
 * <p>Threading: thread-safe; what was read is replaced whole.
 */
public final class PeerIdentity {
  private static final String ALIAS = "peer";

  private final PeerTls files;
  private final AtomicReference<Read> latest;

  /** One reading of the files. */
  private record Read(
      List<Map<String, Object>> marks,
      PemPair pair,
      X509ExtendedTrustManager trust,
      Set<String> revoked) {}

  private PeerIdentity(PeerTls files, Read first) {
    this.files = files;
    this.latest = new AtomicReference<>(first);
  }

  static PeerIdentity read(PeerTls files) throws IOException {
    try {
      return new PeerIdentity(files, readAll(files));
    } catch (NoSuchFileException absent) {
      throw new IOException(
          "the peers' TLS needs " + absent.getFile() + ", which is not there", absent);
    }
  }

  /** Shows the machine's certificate. */
  public X509ExtendedKeyManager keys() {
    return new Keys();
  }

  /** Takes certificates of the authority that are in time and not revoked. */
  public X509ExtendedTrustManager trust() {
    return new Trust();
  }

  private Read now() {
    Read known = latest.get();
    try {
      if (!marks(files).equals(known.marks())) {
        Read fresh = readAll(files);
        latest.set(fresh);
        return fresh;
      }
    } catch (IOException _) {
      // Half of a change; the next connection looks again.
    }
    return known;
  }

  private static Read readAll(PeerTls files) throws IOException {
    // Marked before they are read: what changes in between is read again.
    List<Map<String, Object>> marks = marks(files);
    return new Read(
        marks,
        PemPair.read(files.certificates(), files.key()),
        trust(PemPair.certificates(files.authority())),
        revoked(files));
  }

  private static List<Map<String, Object>> marks(PeerTls files) throws IOException {
    List<Map<String, Object>> marks = new ArrayList<>();
    List<Path> all = new ArrayList<>(List.of(files.certificates(), files.key(), files.authority()));
    files.revoked().ifPresent(all::add);
    for (Path file : all) {
      try {
        marks.add(Files.readAttributes(file, "unix:ino,size,ctime"));
      } catch (NoSuchFileException absent) {
        marks.add(Map.of());
      }
    }
    return marks;
  }

  private static Set<String> revoked(PeerTls files) throws IOException {
    if (files.revoked().isEmpty()) {
      return Set.of();
    }
    return Files.readAllLines(files.revoked().get(), US_ASCII).stream()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static X509ExtendedTrustManager trust(X509Certificate[] authorities) throws IOException {
    try {
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (int i = 0; i < authorities.length; i++) {
        store.setCertificateEntry("authority-" + i, authorities[i]);
      }
      var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
    } catch (GeneralSecurityException e) {
      throw new IOException("the authority's certificate cannot be used", e);
    }
  }

  /** As it stands in the list of those that were revoked. */
  public static String serial(X509Certificate certificate) {
    return certificate.getSerialNumber().toString(16);
  }

  /** As a holder stands in the list, all of whose certificates count no more. */
  public static String holder(String name) {
    return "name=" + name;
  }

  public static boolean isRevoked(X509Certificate shown, Collection<String> revoked) {
    return revoked.contains(serial(shown))
        || revoked.contains(holder(CertificateAuthority.commonName(shown)));
  }

  private static void refuseRevoked(X509Certificate[] chain, Read now) throws CertificateException {
    if (isRevoked(chain[0], now.revoked())) {
      throw new CertificateException("certificate %s was revoked".formatted(serial(chain[0])));
    }
  }

  /** One pair, whatever is asked for. */
  private final class Keys extends X509ExtendedKeyManager {
    @Override
    public String[] getClientAliases(String type, Principal @Nullable [] issuers) {
      return new String[] {ALIAS};
    }

    @Override
    public String chooseClientAlias(
        String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return ALIAS;
    }

    @Override
    public String[] getServerAliases(String type, Principal @Nullable [] issuers) {
      return new String[] {ALIAS};
    }

    @Override
    public String chooseServerAlias(
        String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return ALIAS;
    }

    @Override
    public String chooseEngineClientAlias(
        String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      return ALIAS;
    }

    /** Another kind of key than the pair's is none; the caller goes on to ask for the pair's. */
    @Override
    public @Nullable String chooseEngineServerAlias(
        String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      return now().pair().key().getAlgorithm().equals(type) || type.contains("_") ? ALIAS : null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return now().pair().chain().clone();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return now().pair().key();
    }
  }

  /** The JDK's check, names of servers included, and then the list. */
  private final class Trust extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      Read now = now();
      now.trust().checkClientTrusted(chain, type, socket);
      refuseRevoked(chain, now);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      Read now = now();
      now.trust().checkServerTrusted(chain, type, socket);
      refuseRevoked(chain, now);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      Read now = now();
      now.trust().checkClientTrusted(chain, type, engine);
      refuseRevoked(chain, now);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      Read now = now();
      now.trust().checkServerTrusted(chain, type, engine);
      refuseRevoked(chain, now);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      Read now = now();
      now.trust().checkClientTrusted(chain, type);
      refuseRevoked(chain, now);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      Read now = now();
      now.trust().checkServerTrusted(chain, type);
      refuseRevoked(chain, now);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return now().trust().getAcceptedIssuers();
    }
  }
}
