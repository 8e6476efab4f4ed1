package dev.ron.storage;

import dev.ron.blake3.Address;

/** What happened that more than one part of the service wants to know. */
public sealed interface StorageEvent {
  /** A copy could not be read as it was stored. */
  record Damaged(Address address, String home, String reason) implements StorageEvent {}

  /** A copy was written anew from another. */
  record Repaired(Address address, String home) implements StorageEvent {}

  /** No good copy was found to repair from. */
  record Unrepairable(Address address, String why) implements StorageEvent {}

  /** A home can be asked for more or for less than before. */
  record HomeChanged(String home, String label, String service, String why)
      implements StorageEvent {}

  /** Other nodes belong to the storage than before, or at other weights. */
  record MembersChanged(String members) implements StorageEvent {}

  /** The registry of the nodes answers, or does not. */
  record RegistryChanged(String words) implements StorageEvent {}

  /** Another node is there, away or gone. */
  record NodeChanged(String node, String presence) implements StorageEvent {}
}
