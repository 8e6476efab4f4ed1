package dev.ron.capability;

import java.util.Base64;

/**
 * The base64 form of a token: URL-safe and without padding when written, so that it fits a header
 * and a URL; either alphabet, padded or not, when read.
 *
 * <p>One token has few spellings on purpose: mixed alphabets, wrong padding and set bits past the
 * last byte are refused. The JDK's decoder ignores such bits, which would let a flipped bit pass.
 *
 * <p>Threading: immutable.
 */
final class TokenText {
  /** What fits a request head beside other headers. */
  static final int CHARS_MAX = 8192;

  /** The most bytes that {@link #CHARS_MAX} characters of base64 can hold. */
  static final int BYTES_MAX = CHARS_MAX / 4 * 3;

  private static final Base64.Encoder URL = Base64.getUrlEncoder().withoutPadding();
  private static final Base64.Encoder STANDARD = Base64.getEncoder().withoutPadding();

  private TokenText() {}

  static String encode(byte[] bytes) {
    return URL.encodeToString(bytes);
  }

  static byte[] decode(String text) throws TokenFormatException {
    if (text.length() > CHARS_MAX) {
      throw new TokenFormatException("it is longer than " + CHARS_MAX + " characters");
    }
    String body = unpadded(text);
    boolean standard = body.indexOf('+') >= 0 || body.indexOf('/') >= 0;
    byte[] bytes;
    try {
      bytes = (standard ? Base64.getDecoder() : Base64.getUrlDecoder()).decode(body);
    } catch (IllegalArgumentException _) {
      throw new TokenFormatException("it is not base64");
    }
    if (!(standard ? STANDARD : URL).encodeToString(bytes).equals(body)) {
      throw new TokenFormatException("its last base64 character has bits that belong to no byte");
    }
    return bytes;
  }

  private static String unpadded(String text) throws TokenFormatException {
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == '=') {
      end--;
    }
    int padding = text.length() - end;
    if (padding > 2 || (padding > 0 && text.length() % 4 != 0)) {
      throw new TokenFormatException("its base64 padding is wrong");
    }
    return text.substring(0, end);
  }
}
