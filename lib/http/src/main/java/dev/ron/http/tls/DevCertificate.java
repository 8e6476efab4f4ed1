package dev.ron.http.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A certificate for this machine alone, signed by itself, as the two PEM files servers read.
 *
 * <p>Threading: immutable.
 */
public record DevCertificate(Path certificate, Path key) {
  private static final Duration LIFE = Duration.ofDays(365);

  private static final CertificateAuthority.Subject LOOPBACK =
      new CertificateAuthority.Subject("localhost", List.of("localhost", "127.0.0.1", "::1"));

  /** Makes a pair valid from now for a year for localhost and the loopback addresses. */
  public static DevCertificate make(Path folder, Instant now) throws IOException {
    Files.createDirectories(folder);
    KeyPair pair = CertificateAuthority.keyPair();
    var made = new DevCertificate(folder.resolve("dev-cert.pem"), folder.resolve("dev-key.pem"));
    String certificate = Pem.of(CertificateAuthority.selfSigned(LOOPBACK, pair, now, LIFE));
    write(made.certificate(), certificate, "rw-r--r--");
    write(made.key(), Pem.of(pair.getPrivate()), "rw-------");
    return made;
  }

  /** Written aside and moved, so that a reload never reads half a file. */
  private static void write(Path file, String pem, String permissions) throws IOException {
    Path aside =
        Files.createTempFile(
            file.toAbsolutePath().getParent(),
            "new",
            ".pem",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(aside, pem);
    Files.setPosixFilePermissions(aside, PosixFilePermissions.fromString(permissions));
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
