package dev.ron.node;

import dev.ron.capability.Authentication;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.kernel.time.Time;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A token that one service of a node shows to another: short-lived, and minted anew in time and
 * after each change of keys that ends it.
 *
 * <p>Threading: thread-safe; two threads may mint at once, and both tokens are good.
 */
final class RenewedToken implements Supplier<String> {
  /** Renewed this early, a token outlives the longest request: reading an input, an hour. */
  private static final Duration AGE_MAX = Duration.ofMinutes(30);

  static final Duration LIFE = Duration.ofHours(2);

  private final Verifier verifier;
  private final Time time;
  private final List<Caveat> caveats;
  private final SecureRandom random = new SecureRandom();
  private volatile @Nullable Minted latest;

  private record Minted(String token, Instant at) {}

  RenewedToken(Verifier verifier, Time time, List<Caveat> caveats) {
    this.verifier = verifier;
    this.time = time;
    this.caveats = caveats;
  }

  @Override
  public String get() {
    Instant now = time.wall();
    Minted known = latest;
    if (known == null || !isGood(known, now)) {
      known = new Minted(mint(now), now);
      latest = known;
    }
    return known.token;
  }

  private boolean isGood(Minted minted, Instant now) {
    // Before its time the calendar was set back, and how far is not known.
    return !now.isBefore(minted.at)
        && now.isBefore(minted.at.plus(AGE_MAX))
        && verifier.authenticate(minted.token, now) instanceof Authentication.Authentic;
  }

  private String mint(Instant now) {
    List<Caveat> all =
        Stream.concat(caveats.stream(), Stream.of(Caveat.Expiry.after(now, LIFE))).toList();
    return new TokenMint(verifier.keys(), random).mint(all).token();
  }
}
