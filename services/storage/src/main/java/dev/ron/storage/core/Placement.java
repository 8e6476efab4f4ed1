package dev.ron.storage.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3Hasher;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;

/**
 * In which order an object prefers the homes: rendezvous hashing.
 *
 * <p>Each pair of an object and a home has a weight that depends on nothing else, and the heaviest
 * come first. So a home that joins takes only what it is now heaviest for, and what a home that
 * leaves had goes to each object's next one; nothing else moves.
 *
 * <p>Threading: stateless.
 */
public final class Placement {
  private Placement() {}

  /** All homes, the preferred first. */
  public static List<VolumeState> order(Address address, List<VolumeState> homes) {
    byte[] hash = address.hash().bytes();
    return homes.stream()
        .map(home -> new HomeWeight(home, weight(hash, home.id())))
        .sorted(
            Comparator.comparing(HomeWeight::weight, Long::compareUnsigned)
                .reversed()
                .thenComparing(weighed -> weighed.home().id()))
        .map(HomeWeight::home)
        .toList();
  }

  private record HomeWeight(VolumeState home, long weight) {}

  private static long weight(byte[] hash, String id) {
    return ByteBuffer.wrap(mixed(hash, id)).getLong();
  }

  /** What an object and a name have in common: chance, but always the same. */
  public static byte[] mixed(byte[] hash, String name) {
    return new Blake3Hasher().update(hash).update(name.getBytes(UTF_8)).hash().bytes();
  }

  /** The homes that shall have a copy that is written now: the first that take one. */
  public static List<VolumeState> targets(
      Address address, List<VolumeState> homes, int replication) {
    return order(address, homes).stream()
        .filter(VolumeState::takesWrites)
        .limit(replication)
        .toList();
  }
}
