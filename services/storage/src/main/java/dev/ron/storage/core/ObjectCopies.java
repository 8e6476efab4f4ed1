package dev.ron.storage.core;

import dev.ron.blake3.Address;
import java.util.Set;

/**
 * The homes that have an object.
 *
 * <p>Threading: immutable.
 *
 * @param homes ids of the homes with a copy, good or bad
 */
public record ObjectCopies(Address address, long sizeBytes, Set<String> homes) {
  public ObjectCopies {
    homes = Set.copyOf(homes);
  }
}
