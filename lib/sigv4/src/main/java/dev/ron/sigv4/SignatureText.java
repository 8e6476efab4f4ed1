package dev.ron.sigv4;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Hashes and signatures as text: 64 hex digits.
 *
 * <p>Threading: immutable.
 */
public final class SignatureText {
  /** The SHA-256 of nothing. */
  public static final String EMPTY_SHA256 =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private static final int DIGITS = 64;

  /** Never fed, only cloned: to ask the providers for one takes longer than to hash a request. */
  private static final MessageDigest SHA256 = newSha256();

  private SignatureText() {}

  /** Takes the same time wherever the first difference lies, so timing tells a forger nothing. */
  public static boolean same(String expected, String presented) {
    return MessageDigest.isEqual(expected.getBytes(ISO_8859_1), presented.getBytes(ISO_8859_1));
  }

  /** Whether it is 64 lowercase hex digits, the only spelling of a signature. */
  public static boolean isHex(String text) {
    if (text.length() != DIGITS) {
      return false;
    }
    for (int i = 0; i < DIGITS; i++) {
      char c = text.charAt(i);
      if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f')) {
        return false;
      }
    }
    return true;
  }

  public static String hex(byte[] hash) {
    return HexFormat.of().formatHex(hash);
  }

  /** The SHA-256 of a text whose characters are bytes. */
  static String sha256(String text) {
    return hex(sha256().digest(text.getBytes(ISO_8859_1)));
  }

  /** A new SHA-256. */
  public static MessageDigest sha256() {
    try {
      return (MessageDigest) SHA256.clone();
    } catch (CloneNotSupportedException _) {
      return newSha256(); // of a provider that cannot
    }
  }

  private static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException("every JDK has SHA-256", absent);
    }
  }
}
