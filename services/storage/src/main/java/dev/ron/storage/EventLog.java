package dev.ron.storage;

import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.time.Instant;

/**
 * Tells the log what happened to copies and homes.
 *
 * <p>Threading: one step at a time.
 */
final class EventLog implements Task {
  private final Broadcast<StorageEvent>.Subscription events;
  private final Log log;

  EventLog(Broadcast<StorageEvent> events, Log log) {
    this.events = events.subscribe();
    this.log = log;
  }

  @Override
  public Next run(Instant now) {
    for (StorageEvent event : events.drain()) {
      switch (event) {
        case StorageEvent.Damaged(var address, String home, String reason) ->
            log.warn("copy-damaged", "address", address, "home", home, "reason", reason);
        case StorageEvent.Repaired(var address, String home) ->
            log.info("copy-repaired", "address", address, "home", home);
        case StorageEvent.Unrepairable(var address, String why) ->
            log.error("object-unrepairable", "address", address, "why", why);
        case StorageEvent.HomeChanged(String home, String label, String service, String why) ->
            log.warn("home-changed", "home", home, "label", label, "serves", service, "why", why);
        case StorageEvent.MembersChanged(String members) ->
            log.info("members-changed", "members", members);
        case StorageEvent.RegistryChanged(String words) ->
            log.warn("registry-changed", "registry", words);
        case StorageEvent.NodeChanged(String node, String presence) ->
            log.warn("node-changed", "node", node, "presence", presence);
      }
    }
    return Next.await(events);
  }
}
