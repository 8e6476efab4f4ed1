package dev.ron.node.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/**
 * Shows that a machine has the key it wants a certificate for: a signature over what it asks.
 *
 * <p>Threading: stateless.
 */
final class MachineProof {
  private static final String ALGORITHM = "SHA256withECDSA";

  private MachineProof() {}

  static String text(PublicKey key) {
    return Base64.getEncoder().encodeToString(key.getEncoded());
  }

  /**
   * @throws IllegalArgumentException if it is no key on a curve
   */
  static PublicKey key(String text) {
    try {
      return KeyFactory.getInstance("EC")
          .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(text.strip())));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("this is no key of a machine", e);
    }
  }

  static KeyPair pair(String publicText, String privatePem) {
    return new KeyPair(key(publicText), privateKey(privatePem));
  }

  /**
   * @throws IllegalArgumentException if it is no key on a curve, in PKCS#8
   */
  static PrivateKey privateKey(String pem) {
    try {
      String body = pem.replaceAll("-----[A-Z ]+-----", "");
      return KeyFactory.getInstance("EC")
          .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(body)));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("the key cannot be read", e);
    }
  }

  static String sign(PrivateKey key, String words) {
    try {
      var signature = Signature.getInstance(ALGORITHM);
      signature.initSign(key);
      signature.update(words.getBytes(UTF_8));
      return Base64.getEncoder().encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the machine's key does not sign", e);
    }
  }

  static boolean holds(PublicKey key, String words, String proof) {
    try {
      var signature = Signature.getInstance(ALGORITHM);
      signature.initVerify(key);
      signature.update(words.getBytes(UTF_8));
      return signature.verify(Base64.getDecoder().decode(proof));
    } catch (GeneralSecurityException | IllegalArgumentException wrong) {
      return false;
    }
  }
}
