package dev.ron.capability;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A passed check, and the limits the one who asked must still be held to.
 *
 * <p>{@code tenant} is the token's; if it names none it serves any tenant, and this is the one the
 * ask named. {@code ratePerSecond} and {@code bytesMax} are the narrowest of the token; empty means
 * that it sets none. {@code tokenHashPrefix} is what a log may show of the token. Rates are counted
 * per {@code tokenId}, so that attenuated copies do not each get their own.
 *
 * <p>Threading: immutable.
 */
public record Grant(
    Optional<String> tenant,
    OptionalLong ratePerSecond,
    OptionalLong bytesMax,
    Optional<Instant> expires,
    TokenId tokenId,
    String tokenHashPrefix) {

  /** The key that signed the token. */
  public String keyId() {
    return tokenId.keyId();
  }
}
