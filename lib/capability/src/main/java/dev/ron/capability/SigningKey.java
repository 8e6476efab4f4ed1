package dev.ron.capability;

import java.time.Instant;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A named secret of 32 bytes, and until when tokens signed with it are still accepted.
 *
 * <p>Threading: immutable.
 */
public final class SigningKey {
  /** One HMAC-SHA256 output: more adds nothing. */
  public static final int SECRET_BYTES = 32;

  private final String id;
  private final byte[] secret;
  private final @Nullable Instant until;

  /** Copies the secret; {@code until} is null while the key is active. */
  public SigningKey(String id, byte[] secret, @Nullable Instant until) {
    requireId(id);
    if (secret.length != SECRET_BYTES) {
      throw new IllegalArgumentException(
          "key %s has %d bytes, not 32".formatted(id, secret.length));
    }
    this.id = id;
    this.secret = secret.clone();
    this.until = until;
  }

  static SigningKey random(RandomGenerator random) {
    var name = new byte[4];
    var secret = new byte[SECRET_BYTES];
    random.nextBytes(name);
    random.nextBytes(secret);
    return new SigningKey("k" + HexFormat.of().formatHex(name), secret, null);
  }

  /** The name that identifiers of tokens carry. */
  public String id() {
    return id;
  }

  /** The first instant at which the key is no longer accepted; null for an active key. */
  public @Nullable Instant until() {
    return until;
  }

  SigningKey retiredAt(Instant end) {
    return new SigningKey(id, secret, end);
  }

  boolean acceptedAt(Instant now) {
    return now.isBefore(endsAt());
  }

  /** As {@link #until}, with the end of time for a key that has none. */
  Instant endsAt() {
    return until == null ? Instant.MAX : until;
  }

  byte[] secret() {
    return secret.clone();
  }

  /**
   * A secret for another purpose than tokens, the same on every machine with this ring; the key
   * cannot be found from it.
   */
  public byte[] derived(String purpose) {
    return SignatureChain.next(secret, "ron derived key: " + purpose);
  }

  static boolean isId(String text) {
    return !text.isEmpty()
        && text.length() <= 32
        && text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'));
  }

  static void requireId(String text) {
    if (!isId(text)) {
      throw new IllegalArgumentException("a key id is 1 to 32 of a-z and 0-9");
    }
  }

  @Override
  public String toString() {
    return "SigningKey[" + id + (until == null ? "]" : " until " + until + "]");
  }
}
