package dev.ron.capability.signature;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/** The ways to sign that are known here: Ed25519, and ML-DSA beside it. */
public enum SignatureKind {
  ED25519("ed25519", "Ed25519"),
  /** FIPS 204, the middle parameter set, which the JDK has since 24. */
  ML_DSA("ml-dsa-65", "ML-DSA-65");

  private final String word;
  private final String algorithm;

  SignatureKind(String word, String algorithm) {
    this.word = word;
    this.algorithm = algorithm;
  }

  /** As documents say it. */
  public String word() {
    return word;
  }

  public static Optional<SignatureKind> of(String word) {
    return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
  }

  public KeyPair generate() {
    try {
      return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException("this JDK has no " + algorithm, absent);
    }
  }

  /** The public key as X.509 says it, in base64. */
  public static String text(PublicKey key) {
    return Base64.getEncoder().encodeToString(key.getEncoded());
  }

  public PrivateKey privateKey(byte[] pkcs8) throws GeneralSecurityException {
    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
  }

  public PublicKey publicKey(byte[] x509) throws GeneralSecurityException {
    return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(x509));
  }

  public byte[] sign(PrivateKey key, byte[] message) {
    try {
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      signing.update(message);
      return signing.sign();
    } catch (GeneralSecurityException broken) {
      throw new IllegalStateException("signing with " + algorithm, broken);
    }
  }

  /** False for anything but a good signature; also for a key that cannot be read. */
  public boolean verifies(String keyText, byte[] message, String signatureText) {
    try {
      Signature checking = Signature.getInstance(algorithm);
      checking.initVerify(publicKey(Base64.getDecoder().decode(keyText)));
      checking.update(message);
      return checking.verify(Base64.getDecoder().decode(signatureText));
    } catch (GeneralSecurityException | IllegalArgumentException _) {
      return false;
    }
  }
}
