package dev.ron.http.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Certificates and keys as the text that other programs read.
 *
 * <p>Threading: stateless.
 */
public final class Pem {
  private Pem() {}

  /** One behind the other, a machine's own first. */
  public static String of(X509Certificate... chain) {
    return Arrays.stream(chain)
        .map(
            each -> {
              try {
                return text("CERTIFICATE", each.getEncoded());
              } catch (GeneralSecurityException e) {
                throw new IllegalStateException("a certificate without a form", e);
              }
            })
        .collect(Collectors.joining());
  }

  /** A private key in PKCS#8. */
  public static String of(Key key) {
    return text("PRIVATE KEY", key.getEncoded());
  }

  /** All certificates of a text; none is a fault. */
  public static List<X509Certificate> certificates(String text) throws IOException {
    try {
      List<X509Certificate> all =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(text.getBytes(US_ASCII)))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (all.isEmpty()) {
        throw new IOException("there is no certificate in it");
      }
      return all;
    } catch (GeneralSecurityException e) {
      throw new IOException("these are no certificates", e);
    }
  }

  private static String text(String kind, byte[] der) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n";
  }
}
