package dev.ron.sigv4;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.HexFormat;
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
  private final SecretKeySpec key;

  private DerivedKey(CredentialScope scope, byte[] key) {
    this.scope = scope;
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  /** Derives the key; costs four HMACs. */
  public static DerivedKey of(String secret, CredentialScope scope) {
    byte[] link = ("AWS4" + secret).getBytes(UTF_8);
    for (String part : new String[] {scope.date(), scope.region(), scope.service()}) {
      link = hmac(new SecretKeySpec(link, ALGORITHM), part);
    }
    return new DerivedKey(scope, hmac(new SecretKeySpec(link, ALGORITHM), "aws4_request"));
  }

  public CredentialScope scope() {
    return scope;
  }

  /** The signature in lowercase hex. */
  public String sign(String stringToSign) {
    return HexFormat.of().formatHex(hmac(key, stringToSign));
  }

  private static byte[] hmac(SecretKeySpec key, String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(text.getBytes(ISO_8859_1));
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, absent);
    }
  }

  @Override
  public String toString() {
    return "DerivedKey[" + scope.text() + "]";
  }
}
