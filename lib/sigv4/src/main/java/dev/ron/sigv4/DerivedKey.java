package dev.ron.sigv4;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key that signs: derived from a secret for one scope, so that the secret itself is not needed
 * for each request and may be forgotten. It can be kept for the day of its scope.
 *
 * <p>Threading: immutable.
 */
public final class DerivedKey {
  private static final String ALGORITHM = "HmacSHA256";

  private final CredentialScope scope;

  /** Never fed, only cloned, with the key in it. */
  private final Mac mac;

  private DerivedKey(CredentialScope scope, byte[] key) {
    this.scope = scope;
    this.mac = mac(key);
  }

  /** Derives the key; costs four HMACs. */
  public static DerivedKey of(String secret, CredentialScope scope) {
    byte[] link = ("AWS4" + secret).getBytes(UTF_8);
    for (String part : new String[] {scope.date(), scope.region(), scope.service()}) {
      link = mac(link).doFinal(part.getBytes(ISO_8859_1));
    }
    return new DerivedKey(scope, mac(link).doFinal("aws4_request".getBytes(ISO_8859_1)));
  }

  public CredentialScope scope() {
    return scope;
  }

  /** The signature in lowercase hex. */
  public String sign(String stringToSign) {
    try {
      return SignatureText.hex(((Mac) mac.clone()).doFinal(stringToSign.getBytes(ISO_8859_1)));
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException("the JDK's " + ALGORITHM + " can be cloned", impossible);
    }
  }

  private static Mac mac(byte[] key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac;
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, absent);
    }
  }

  @Override
  public String toString() {
    return "DerivedKey[" + scope.text() + "]";
  }
}
