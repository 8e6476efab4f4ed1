package dev.ron.http.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A certificate chain and its key, read from PEM files and proved to belong together.
 *
 * <p>TLS libraries notice a key of another certificate only in the first handshake; here a reload
 * with half of a new pair fails before it can break a handshake.
 *
 * <p>Threading: immutable.
 */
@SuppressWarnings("ArrayRecordComponent") // the form TLS contexts take; never compared
record PemPair(X509Certificate[] chain, PrivateKey key) {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  static PemPair read(Path certificates, Path keyFile) throws IOException {
    try {
      X509Certificate[] chain = certificates(certificates);
      PrivateKey key = key(keyFile, chain[0].getPublicKey());
      if (!belong(chain[0].getPublicKey(), key)) {
        throw new IOException("the key " + keyFile + " is not the one of " + certificates);
      }
      return new PemPair(chain, key);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException("cannot use the certificate " + certificates + " with " + keyFile, e);
    }
  }

  /** All certificates of a file, of which there is at least one. */
  static X509Certificate[] certificates(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      X509Certificate[] all =
          CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
              .map(X509Certificate.class::cast)
              .toArray(X509Certificate[]::new);
      if (all.length == 0) {
        throw new IOException("no certificate in " + file);
      }
      return all;
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot read the certificates in " + file, e);
    }
  }

  private static PrivateKey key(Path file, PublicKey of)
      throws IOException, GeneralSecurityException {
    Matcher pem = KEY.matcher(Files.readString(file, StandardCharsets.US_ASCII));
    if (!pem.find()) {
      throw new IOException("no PKCS#8 key (BEGIN PRIVATE KEY) in " + file);
    }
    byte[] der = Base64.getMimeDecoder().decode(pem.group(1));
    return KeyFactory.getInstance(of.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(der));
  }

  private static boolean belong(PublicKey known, PrivateKey key) throws GeneralSecurityException {
    String algorithm =
        switch (known.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> known.getAlgorithm();
        };
    byte[] words = "one pair".getBytes(StandardCharsets.US_ASCII);
    var signing = Signature.getInstance(algorithm);
    signing.initSign(key);
    signing.update(words);
    var verifying = Signature.getInstance(algorithm);
    verifying.initVerify(known);
    verifying.update(words);
    return verifying.verify(signing.sign());
  }
}
