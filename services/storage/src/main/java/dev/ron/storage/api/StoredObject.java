package dev.ron.storage.api;

import dev.ron.blake3.Address;

/**
 * An object as JSON names it.
 *
 * <p>Threading: immutable.
 */
public record StoredObject(String address, long size) {
  public static StoredObject of(Address address, long size) {
    return new StoredObject(address.toString(), size);
  }
}
