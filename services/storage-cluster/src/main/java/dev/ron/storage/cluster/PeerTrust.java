package dev.ron.storage.cluster;

import dev.ron.config.Section;
import dev.ron.config.WeakerValues;
import dev.ron.http.tls.PeerTls;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How this node knows that it speaks to a node of its own storage: by certificates, or because both
 * are on one machine.
 *
 * <p>What it says to a node carries a capability with which all objects can be read and deleted. A
 * list of nodes is no proof: any writer to the registry can put an address of its own there.
 *
 * <p>Threading: immutable.
 *
 * @param plaintext believes every address, on a network where there is no stranger
 */
public record PeerTrust(
    Optional<Path> cert,
    Optional<Path> key,
    Optional<Path> ca,
    Optional<Path> revoked,
    boolean plaintext) {
  private static final Pattern LOOPBACK = Pattern.compile("127(\\.[0-9]{1,3}){3}");

  public PeerTrust {
    if (cert.isPresent() != key.isPresent() || key.isPresent() != ca.isPresent()) {
      throw new IllegalArgumentException(
          "cluster.tls.cert, cluster.tls.key and cluster.tls.ca must be set together");
    }
  }

  /** The three files, if nodes show each other certificates. */
  public Optional<PeerTls> certificates() {
    return cert.map(file -> new PeerTls(file, key.orElseThrow(), ca.orElseThrow(), revoked));
  }

  public boolean byCertificate() {
    return cert.isPresent();
  }

  /** Whether a node on another machine can be one of ours. */
  public boolean beyondLoopback() {
    return byCertificate() || plaintext;
  }

  /** Why nothing is said to a node at this address; empty if it may be one of ours. */
  public Optional<String> refusal(String url) {
    Optional<URI> uri = httpUri(url);
    if (uri.isEmpty()) {
      return Optional.of("which is no http address");
    }
    boolean https = uri.get().getScheme().equals("https");
    if (byCertificate()) {
      return https
          ? Optional.empty()
          : Optional.of("which is not https, while cluster.tls says that nodes show certificates");
    }
    if (https) {
      return Optional.of("which needs cluster.tls.cert, key and ca: nodes show each other theirs");
    }
    return plaintext || isLoopback(uri.get().getHost())
        ? Optional.empty()
        : Optional.of(
            "which is on another machine, where anybody on the way could take the capability that"
                + " is sent there: set cluster.tls.cert, key and ca and write https, or set"
                + " cluster.tls.plaintext = true on a network that is yours alone");
  }

  /**
   * @throws IllegalArgumentException if nothing would be said to a node there
   */
  public void require(String key, String url) {
    refusal(url)
        .ifPresent(
            why -> {
              throw new IllegalArgumentException("%s has %s, %s".formatted(key, url, why));
            });
  }

  /** An address that requests can be sent to. */
  static Optional<URI> httpUri(String text) {
    try {
      URI uri = URI.create(text);
      String scheme = String.valueOf(uri.getScheme());
      return (scheme.equals("http") || scheme.equals("https")) && uri.getHost() != null
          ? Optional.of(uri)
          : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** By its text alone; a name other than localhost might be looked up to anything. */
  private static boolean isLoopback(String host) {
    return host.equals("localhost") || host.equals("[::1]") || LOOPBACK.matcher(host).matches();
  }

  static PeerTrust read(Section section) {
    return new PeerTrust(
        section
            .key("cert", "")
            .doc("This node's certificate for the others, PEM; its names are those in `peers`.")
            .pathOrNothing(),
        section.key("key", "").doc("The certificate's key, PKCS#8 PEM.").pathOrNothing(),
        section
            .key("ca", "")
            .doc(
                "Whose certificates a node must have, PEM; both sides of a connection are checked.")
            .pathOrNothing(),
        section
            .key("revoked", "")
            .doc("Serial numbers of certificates that count no more, one a line in hexadecimal.")
            .pathOrNothing(),
        section
            .key("plaintext", false)
            .doc("Speaks to nodes on other machines without TLS: on a network of their own only.")
            .hardened(WeakerValues.OTHER)
            .bool());
  }
}
