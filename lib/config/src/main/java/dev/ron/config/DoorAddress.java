package dev.ron.config;

import dev.ron.config.value.HostPort;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where the HTTP door of a service listens, and how: an address, a certificate and its key for TLS
 * there, and a Unix socket besides.
 *
 * <p>Threading: immutable.
 *
 * @param udsUids users whose processes may connect to the socket
 */
public record DoorAddress(
    HostPort bind,
    Optional<Path> tlsCertificate,
    Optional<Path> tlsKey,
    Optional<Path> uds,
    List<Integer> udsUids) {
  public DoorAddress {
    udsUids = List.copyOf(udsUids);
    if (tlsCertificate.isPresent() != tlsKey.isPresent()) {
      throw new IllegalArgumentException(
          "tls_certificate = %s and tls_key = %s go together"
              .formatted(tlsCertificate.map(Path::toString).orElse("none"), tlsKey.isPresent()));
    }
  }

  /** Cleartext there and no socket. */
  public static DoorAddress plain(HostPort bind) {
    return new DoorAddress(bind, Optional.empty(), Optional.empty(), Optional.empty(), List.of());
  }

  /**
   * @param bind where it listens if it is not told
   * @param protocol that is spoken there, in the words of the documentation
   */
  public static DoorAddress read(Section section, String bind, String protocol) {
    return new DoorAddress(
        section.key("bind", bind).doc("Where the " + protocol + " door listens.").address(),
        section
            .key("tls_certificate", "")
            .doc("PEM file of the certificate chain; empty for cleartext.")
            .pathOrNothing(),
        section.key("tls_key", "").doc("PEM file of its key.").pathOrNothing(),
        section
            .key("uds", "")
            .doc("A Unix socket to listen at too, absolute; empty is none.")
            .pathOrNothing(),
        section
            .key("uds_uids", List.of("0"))
            .doc("Users whose processes may connect to it.")
            .texts()
            .stream()
            .map(Integer::valueOf)
            .toList());
  }

  public boolean isSecured() {
    return tlsCertificate.isPresent();
  }

  /** How a program on this machine reaches it. */
  public String url() {
    boolean everywhere = bind.host().equals("0.0.0.0") || bind.host().equals("::");
    HostPort here = everywhere ? new HostPort("127.0.0.1", bind.port()) : bind;
    return (isSecured() ? "https://" : "http://") + here;
  }
}
