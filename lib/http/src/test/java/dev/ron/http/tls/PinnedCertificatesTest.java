package dev.ron.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PinnedCertificatesTest {
  private static final String KIND = "EC";

  @TempDir private Path folder;

  private X509Certificate[] made(String name) throws Exception {
    DevCertificate pair = DevCertificate.make(folder.resolve(name), Instant.now());
    return PemPair.read(pair.certificate(), pair.key()).chain();
  }

  @Test
  void onlyWhatIsPinnedIsTrusted() throws Exception {
    X509Certificate[] own = made("own");
    var pinned = new PinnedCertificates(() -> List.of(own[0]));
    assertThatCode(() -> pinned.checkServerTrusted(own, KIND)).doesNotThrowAnyException();
    X509Certificate[] other = made("other");
    assertThatThrownBy(() -> pinned.checkServerTrusted(other, KIND))
        .isInstanceOf(CertificateException.class);
    assertThat(pinned.getAcceptedIssuers()).isEmpty();
  }

  /** A certificate that no authority of the JDK has signed is a stranger's, whatever it says. */
  @Test
  void besideOthersItIsTrustedToo() throws Exception {
    X509Certificate[] own = made("own");
    PinnedCertificates both = PinnedCertificates.besideOthers(() -> List.of(own[0]));
    assertThatCode(() -> both.checkServerTrusted(own, KIND)).doesNotThrowAnyException();
    X509Certificate[] other = made("other");
    assertThatThrownBy(() -> both.checkServerTrusted(other, KIND))
        .isInstanceOf(CertificateException.class);
    assertThat(both.getAcceptedIssuers()).as("the authorities of the JDK").isNotEmpty();
  }
}
