package dev.ron.capability;

import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * What a token's identifier says: the version of this scheme, the key that signed it, and a nonce.
 *
 * <p>Written {@code ron1:<key id>:<32 hex digits>}. Attenuation keeps the identifier, so revoking
 * an id revokes everything made from the token. It is not a secret: it grants nothing by itself.
 *
 * <p>Threading: immutable.
 */
public record TokenId(String keyId, String nonce) {
  private static final String VERSION = "ron1:";
  private static final int NONCE_BYTES = 16;

  /** Checks both parts, so that {@link #text} always reads back. */
  public TokenId {
    SigningKey.requireId(keyId);
    if (!isLowerHex(nonce, 2 * NONCE_BYTES)) {
      throw new IllegalArgumentException("a nonce is 32 lowercase hex digits");
    }
  }

  static TokenId random(String keyId, RandomGenerator random) {
    var nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    return new TokenId(keyId, HexFormat.of().formatHex(nonce));
  }

  /** Reads an identifier; empty if it is not one of ours. */
  public static Optional<TokenId> parse(String text) {
    int colon = text.indexOf(':', VERSION.length());
    if (!text.startsWith(VERSION) || colon < 0) {
      return Optional.empty();
    }
    String keyId = text.substring(VERSION.length(), colon);
    String nonce = text.substring(colon + 1);
    return SigningKey.isId(keyId) && isLowerHex(nonce, 2 * NONCE_BYTES)
        ? Optional.of(new TokenId(keyId, nonce))
        : Optional.empty();
  }

  /** The identifier as it is signed. */
  public String text() {
    return VERSION + keyId + ":" + nonce;
  }

  @Override
  public String toString() {
    return text();
  }

  static boolean isLowerHex(String text, int digits) {
    return text.length() == digits
        && text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
  }
}
