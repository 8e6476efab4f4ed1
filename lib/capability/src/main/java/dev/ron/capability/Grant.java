package dev.ron.capability;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A passed check, and the limits that the caller must still be held to.
 *
 * <p>{@code tenant} is the token's; if it names none it serves any tenant, and this is the one the
 * request named. {@code rates} are all that must be kept, see {@link InheritedRate}; {@code
 * bytesMax} is the narrowest of the token, and empty means that it sets none. {@code
 * tokenHashPrefix} is what a log may show of the token.
 *
 * <p>Threading: immutable.
 */
public record Grant(
    Optional<String> tenant,
    List<InheritedRate> rates,
    OptionalLong bytesMax,
    Optional<Instant> expires,
    TokenId tokenId,
    String tokenHashPrefix) {

  public Grant {
    rates = List.copyOf(rates);
  }

  /** The key that signed the token. */
  public String keyId() {
    return tokenId.keyId();
  }
}
