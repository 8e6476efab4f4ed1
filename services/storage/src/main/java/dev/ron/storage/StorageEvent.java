package dev.ron.storage;

import dev.ron.blake3.Address;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.EventReader;

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

  /** The task that tells the log. */
  static EventReader<StorageEvent> reader(Broadcast<StorageEvent> events, Log log) {
    return new EventReader<>(events, event -> event.tell(log));
  }

  private void tell(Log log) {
    switch (this) {
      case Damaged(var address, String home, String reason) ->
          log.warn("copy-damaged", "address", address, "home", home, "reason", reason);
      case Repaired(var address, String home) ->
          log.info("copy-repaired", "address", address, "home", home);
      case Unrepairable(var address, String why) ->
          log.error("object-unrepairable", "address", address, "why", why);
      case HomeChanged(String home, String label, String service, String why) ->
          log.warn("home-changed", "home", home, "label", label, "serves", service, "why", why);
      case MembersChanged(String members) -> log.info("members-changed", "members", members);
      case RegistryChanged(String words) -> log.warn("registry-changed", "registry", words);
      case NodeChanged(String node, String presence) ->
          log.warn("node-changed", "node", node, "presence", presence);
    }
  }

  /** Another node is there, away or gone. */
  record NodeChanged(String node, String presence) implements StorageEvent {}
}
