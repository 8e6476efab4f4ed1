package dev.ron.storage;

import dev.ron.http.tls.CertificateAuthority;
import dev.ron.http.tls.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Signs certificates for the nodes of a test.
 *
 * <p>Threading: owned by the test.
 */
final class Authority {
  private static final Duration LIFE = Duration.ofDays(1);

  private final Path folder;
  private final CertificateAuthority authority;

  Authority(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.authority = CertificateAuthority.generate("authority", Instant.now(), LIFE);
    Files.writeString(file(), Pem.of(authority.certificate()));
  }

  Path file() {
    return folder.resolve("ca.pem");
  }

  /** A pair for a node on loopback, as settings. */
  String[] pair(String name) throws IOException {
    return pair(name, Instant.now());
  }

  /** One whose time was over two days ago. */
  String[] expired(String name) throws IOException {
    return pair(name, Instant.now().minus(LIFE.multipliedBy(3)));
  }

  private String[] pair(String name, Instant from) throws IOException {
    KeyPair pair = CertificateAuthority.keyPair();
    var subject = new CertificateAuthority.Subject(name, List.of("localhost", "127.0.0.1"));
    Path cert = folder.resolve(name + ".pem");
    Path key = folder.resolve(name + "-key.pem");
    Files.writeString(cert, Pem.of(authority.sign(subject, pair.getPublic(), from, LIFE)));
    Files.writeString(key, Pem.of(pair.getPrivate()));
    return new String[] {
      "cluster.tls.cert=" + cert, "cluster.tls.key=" + key, "cluster.tls.ca=" + file()
    };
  }
}
