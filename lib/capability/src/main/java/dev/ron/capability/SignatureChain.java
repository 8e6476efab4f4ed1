package dev.ron.capability;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The HMAC-SHA256 chain that makes a macaroon: each signature is the key of the next.
 *
 * <p>Knowing the last link lets a holder add a caveat, but not take one away, which is why {@link
 * #next} needs no key. The chain starts as in libmacaroons, from a key derived with a fixed label,
 * so that other implementations compute the same signatures.
 *
 * <p>Threading: immutable.
 */
final class SignatureChain {
  static final int SIGNATURE_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] GENERATOR = "macaroons-key-generator".getBytes(US_ASCII);

  private SignatureChain() {}

  /** The signature over an identifier and all caveats in their order. */
  static byte[] over(byte[] secret, String identifier, List<String> caveats) {
    Mac mac = mac();
    byte[] link = hmac(mac, hmac(mac, GENERATOR, secret), identifier.getBytes(UTF_8));
    for (String caveat : caveats) {
      link = hmac(mac, link, caveat.getBytes(UTF_8));
    }
    return link;
  }

  /** The signature after one more caveat. */
  static byte[] next(byte[] signature, String caveat) {
    return hmac(mac(), signature, caveat.getBytes(UTF_8));
  }

  /** Takes the same time wherever the first difference lies, so timing tells a forger nothing. */
  static boolean same(byte[] expected, byte[] presented) {
    return MessageDigest.isEqual(expected, presented);
  }

  private static Mac mac() {
    try {
      return Mac.getInstance(ALGORITHM);
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, absent);
    }
  }

  private static byte[] hmac(Mac mac, byte[] key, byte[] message) {
    try {
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac.doFinal(message);
    } catch (GeneralSecurityException refused) {
      throw new IllegalStateException("HMAC takes a key of any length", refused);
    }
  }
}
