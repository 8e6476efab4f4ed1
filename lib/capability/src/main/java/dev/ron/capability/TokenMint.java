package dev.ron.capability;

import dev.ron.capability.caveat.Caveat;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Makes tokens with the active key of a ring.
 *
 * <p>{@code random} gives the nonce that makes a token revocable on its own: a {@code SecureRandom}
 * wherever tokens matter.
 *
 * <p>Threading: as thread-safe as {@code random}.
 */
public record TokenMint(KeyRing keys, RandomGenerator random) {
  /** The location of every token of Ron; the verifier knows no other. */
  static final String LOCATION = "ron";

  /** A new token, narrowed to {@code caveats} in their order; without any it allows everything. */
  public Macaroon mint(List<Caveat> caveats) {
    SigningKey key = keys.active();
    var macaroon = Macaroon.root(LOCATION, key.secret(), TokenId.random(key.id(), random).text());
    for (Caveat caveat : caveats) {
      macaroon = macaroon.attenuate(caveat);
    }
    return macaroon;
  }
}
