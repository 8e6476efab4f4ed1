package dev.ron.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PeerIdentityTest {
  private static final Duration YEAR = Duration.ofDays(365);
  private final Instant now = Instant.now();
  private final CertificateAuthority authority =
      CertificateAuthority.generate("a cluster", now, YEAR);

  @TempDir private Path folder;

  @BeforeEach
  void writes() throws IOException {
    Files.writeString(folder.resolve("ca.pem"), Pem.of(authority.certificate()));
    Files.writeString(folder.resolve("revoked"), "");
    pair(now);
  }

  private X509Certificate pair(Instant from) throws IOException {
    KeyPair keys = CertificateAuthority.keyPair();
    X509Certificate made = signed(authority, keys, from);
    Files.writeString(folder.resolve("cert.pem"), Pem.of(made, authority.certificate()));
    Files.writeString(folder.resolve("key.pem"), Pem.of(keys.getPrivate()));
    return made;
  }

  private static X509Certificate signed(CertificateAuthority by, KeyPair keys, Instant from) {
    var subject = new CertificateAuthority.Subject("b", List.of("127.0.0.1", "::1", "b.example"));
    return by.sign(subject, keys.getPublic(), from, Duration.ofDays(1));
  }

  private PeerIdentity identity() throws IOException {
    return new PeerTls(
            folder.resolve("cert.pem"),
            folder.resolve("key.pem"),
            folder.resolve("ca.pem"),
            Optional.of(folder.resolve("revoked")))
        .identity();
  }

  private static void check(PeerIdentity by, X509Certificate shown) throws CertificateException {
    by.trust().checkClientTrusted(new X509Certificate[] {shown}, "EC");
  }

  @Test
  void aCertificateSaysWhatItWasAskedToSay() throws Exception {
    X509Certificate made = signed(authority, CertificateAuthority.keyPair(), now);
    made.verify(authority.certificate().getPublicKey());
    assertThat(made.getSubjectAlternativeNames())
        .containsExactlyInAnyOrder(
            List.of(7, "127.0.0.1"), List.of(7, "0:0:0:0:0:0:0:1"), List.of(2, "b.example"));
    assertThat(CertificateAuthority.commonName(made)).isEqualTo("b");
    assertThat(made.getBasicConstraints()).isEqualTo(-1);
    assertThat(made.getSerialNumber()).isGreaterThan(BigInteger.ZERO);
    assertThat(authority.certificate().getBasicConstraints()).isEqualTo(Integer.MAX_VALUE);
    assertThat(made.getNotAfter().toInstant())
        .isBetween(now.plus(Duration.ofHours(23)), now.plus(Duration.ofHours(25)));
    var late = CertificateAuthority.generate("late", Instant.parse("2049-12-31T23:00:00Z"), YEAR);
    assertThat(late.certificate().getNotAfter().toInstant()).isAfter("2050-01-01T00:00:00Z");
  }

  @Test
  void aStrangersAnExpiredAndARevokedCertificateAreRefused() throws Exception {
    PeerIdentity identity = identity();
    X509Certificate good = signed(authority, CertificateAuthority.keyPair(), now);
    assertThatCode(() -> check(identity, good)).doesNotThrowAnyException();

    var stranger = CertificateAuthority.generate("a cluster", now, YEAR);
    X509Certificate strange = signed(stranger, CertificateAuthority.keyPair(), now);
    assertThatThrownBy(() -> check(identity, strange)).isInstanceOf(CertificateException.class);

    X509Certificate old =
        signed(authority, CertificateAuthority.keyPair(), now.minus(Duration.ofDays(2)));
    assertThatThrownBy(() -> check(identity, old)).hasStackTraceContaining("CertificateExpired");

    // The list is read again without a restart.
    Files.writeString(folder.resolve("revoked"), PeerIdentity.serial(good) + "\n");
    assertThatThrownBy(() -> check(identity, good)).hasMessageContaining("was revoked");
  }

  /** A list that was lost would let in all that it refused. */
  @Test
  void aListOfRevokedCertificatesThatIsNamedMustBeThere() throws Exception {
    PeerIdentity identity = identity();
    X509Certificate bad = signed(authority, CertificateAuthority.keyPair(), now);
    Files.writeString(folder.resolve("revoked"), PeerIdentity.serial(bad) + "\n");
    assertThatThrownBy(() -> check(identity, bad)).hasMessageContaining("was revoked");

    Files.delete(folder.resolve("revoked"));
    assertThatThrownBy(() -> check(identity, bad))
        .as("while it runs, what was revoked stays so")
        .hasMessageContaining("was revoked");
    assertThatThrownBy(this::identity)
        .hasMessageContaining(folder.resolve("revoked") + ", which is not there");
  }

  /** Or a machine of the cluster could make machines of the cluster. */
  @Test
  void aMachinesCertificateSignsNoOther() throws Exception {
    KeyPair keys = CertificateAuthority.keyPair();
    X509Certificate machine = signed(authority, keys, now);
    var pretended = new CertificateAuthority(machine, keys.getPrivate());
    X509Certificate made = signed(pretended, CertificateAuthority.keyPair(), now);
    PeerIdentity identity = identity();
    assertThatThrownBy(
            () ->
                identity
                    .trust()
                    .checkClientTrusted(
                        new X509Certificate[] {made, machine, authority.certificate()}, "EC"))
        .isInstanceOf(CertificateException.class);
  }

  @Test
  void aRenewedPairIsShownAndHalfOfOneIsNot() throws Exception {
    PeerIdentity identity = identity();
    X509Certificate before = identity.keys().getCertificateChain("peer")[0];
    X509Certificate fresh = pair(now);
    assertThat(identity.keys().getCertificateChain("peer")[0]).isEqualTo(fresh);
    assertThat(fresh).isNotEqualTo(before);

    Files.writeString(
        folder.resolve("key.pem"), Pem.of(CertificateAuthority.keyPair().getPrivate()));
    assertThat(identity.keys().getCertificateChain("peer")[0]).isEqualTo(fresh);
  }
}
