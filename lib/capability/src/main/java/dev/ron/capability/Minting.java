package dev.ron.capability;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Makes tokens with the active key of a ring.
 *
 * <p>{@code random} gives the nonce that makes a token revocable on its own: a {@code SecureRandom}
 * wherever tokens matter. The location is a hint for people who hold tokens of several nodes.
 *
 * <p>Threading: as thread-safe as {@code random}.
 */
public record Minting(String location, KeyRing keys, RandomGenerator random) {
  /** A new token, narrowed to {@code caveats} in their order; without any it allows everything. */
  public Macaroon mint(List<Caveat> caveats) {
    SigningKey key = keys.active();
    var macaroon = Macaroon.root(location, key.secret(), TokenId.random(key.id(), random).text());
    for (Caveat caveat : caveats) {
      macaroon = macaroon.attenuate(caveat);
    }
    return macaroon;
  }
}
