package dev.ron.http.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

/**
 * Signs certificates for the machines of one cluster: a key, and the certificate by which others
 * know what it signed.
 *
 * <p>Threading: immutable.
 */
public record CertificateAuthority(X509Certificate certificate, PrivateKey key) {
  private static final String CURVE = "secp256r1";
  private static final String ALGORITHM = "SHA256withECDSA";
  private static final byte[] ALGORITHM_ID =
      DerWriter.sequence(DerWriter.oid("1.2.840.10045.4.3.2"));
  private static final String COMMON_NAME = "2.5.4.3";
  private static final String BASIC_CONSTRAINTS = "2.5.29.19";
  private static final String KEY_USAGE = "2.5.29.15";
  private static final String KEY_PURPOSES = "2.5.29.37";
  private static final String OTHER_NAMES = "2.5.29.17";
  private static final String SERVER = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENT = "1.3.6.1.5.5.7.3.2";

  /** Digital signature. */
  private static final byte[] MAY_SIGN = {(byte) 0x80};

  /** Certificates and revocation lists. */
  private static final byte[] MAY_SIGN_OTHERS = {(byte) 0x06};

  private static final int DNS = 2;
  private static final int IP = 7;
  private static final int SERIAL_BITS = 127;

  /** A machine whose clock is behind by less takes a certificate that was made just now. */
  public static final Duration CLOCKS_DIFFER = Duration.ofHours(1);

  /**
   * What a certificate says.
   *
   * @param name of its holder
   * @param hosts names and addresses at which the holder is called
   */
  public record Subject(String name, List<String> hosts) {}

  public static CertificateAuthority generate(String name, Instant now, Duration life) {
    KeyPair pair = keyPair();
    var subject = new Subject(name, List.of());
    byte[][] extensions = {
      critical(BASIC_CONSTRAINTS, DerWriter.sequence(DerWriter.yes())),
      critical(KEY_USAGE, DerWriter.bits(1, MAY_SIGN_OTHERS))
    };
    return new CertificateAuthority(
        sign(subject, pair.getPublic(), name, pair.getPrivate(), now, life, extensions),
        pair.getPrivate());
  }

  /**
   * A certificate that vouches for itself. It says nothing of what it may be used for: some clients
   * take one with limits for no root, and it is the root of its own chain.
   */
  static X509Certificate selfSigned(Subject subject, KeyPair pair, Instant now, Duration life) {
    byte[][] extensions = {extension(OTHER_NAMES, hosts(subject))};
    return sign(
        subject, pair.getPublic(), subject.name(), pair.getPrivate(), now, life, extensions);
  }

  /** From its files; the key must be the certificate's. */
  public static CertificateAuthority read(Path certificate, Path key) throws IOException {
    PemPair pair = PemPair.read(certificate, key);
    if (pair.chain()[0].getBasicConstraints() < 0) {
      throw new IOException(certificate + " is a certificate that may sign no others");
    }
    return new CertificateAuthority(pair.chain()[0], pair.key());
  }

  /** A key for a certificate. */
  public static KeyPair keyPair() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec(CURVE));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java makes no keys on " + CURVE, e);
    }
  }

  /** A certificate with which its holder can call and be called. */
  public X509Certificate sign(Subject subject, PublicKey of, Instant now, Duration life) {
    byte[][] extensions = {
      critical(BASIC_CONSTRAINTS, DerWriter.sequence()),
      critical(KEY_USAGE, DerWriter.bits(7, MAY_SIGN)),
      extension(KEY_PURPOSES, DerWriter.sequence(DerWriter.oid(SERVER), DerWriter.oid(CLIENT))),
      extension(OTHER_NAMES, hosts(subject))
    };
    return sign(subject, of, commonName(certificate), key, now, life, extensions);
  }

  /** What the authority is known by: a hash of its certificate. */
  public String fingerprint() {
    return fingerprint(certificate);
  }

  public static String fingerprint(X509Certificate certificate) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
      return HexFormat.of().formatHex(hash);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate without a form", e);
    }
  }

  /** The name a certificate was given to. */
  public static String commonName(X509Certificate certificate) {
    String name = certificate.getSubjectX500Principal().getName();
    return name.startsWith("CN=") ? name.substring(3) : name;
  }

  private static X509Certificate sign(
      Subject subject,
      PublicKey of,
      String issuer,
      PrivateKey by,
      Instant now,
      Duration life,
      byte[]... extensions) {
    byte[] signed =
        DerWriter.sequence(
            DerWriter.around(0, DerWriter.integer(BigInteger.TWO)),
            DerWriter.integer(new BigInteger(SERIAL_BITS, new SecureRandom()).add(BigInteger.ONE)),
            ALGORITHM_ID,
            name(issuer),
            DerWriter.sequence(
                DerWriter.time(now.minus(CLOCKS_DIFFER)), DerWriter.time(now.plus(life))),
            name(subject.name()),
            of.getEncoded(),
            DerWriter.around(3, DerWriter.sequence(extensions)));
    try {
      var signature = Signature.getInstance(ALGORITHM);
      signature.initSign(by);
      signature.update(signed);
      byte[] whole = DerWriter.sequence(signed, ALGORITHM_ID, DerWriter.bits(0, signature.sign()));
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(whole));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate for " + subject.name() + " cannot be made", e);
    }
  }

  private static byte[] name(String text) {
    return DerWriter.sequence(
        DerWriter.set(DerWriter.sequence(DerWriter.oid(COMMON_NAME), DerWriter.text(text))));
  }

  private static byte[] hosts(Subject subject) {
    return DerWriter.sequence(
        subject.hosts().stream().map(CertificateAuthority::host).toArray(byte[][]::new));
  }

  private static byte[] host(String text) {
    try {
      return DerWriter.choice(IP, InetAddress.ofLiteral(text).getAddress());
    } catch (IllegalArgumentException name) {
      return DerWriter.choice(DNS, text.getBytes(US_ASCII));
    }
  }

  private static byte[] critical(String oid, byte[] value) {
    return DerWriter.sequence(DerWriter.oid(oid), DerWriter.yes(), DerWriter.octets(value));
  }

  private static byte[] extension(String oid, byte[] value) {
    return DerWriter.sequence(DerWriter.oid(oid), DerWriter.octets(value));
  }
}
