package dev.ron.storage.cluster.member;

import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Inbox;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.supervise.Threads;
import dev.ron.storage.StorageEvent;
import dev.ron.storage.cluster.core.Presence;
import dev.ron.storage.cluster.node.PeerNode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Asks every other node again and again how it is, and tells when that changes.
 *
 * <p>Each question has a thread of its own, one for a node at a time: a node that does not answer
 * delays no news of the others.
 *
 * <p>Threading: one step at a time.
 */
public final class Heartbeats implements Task {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  /** One that is back is of use at once. */
  private static final Duration LOOK = Duration.ofMillis(250);

  private final Members members;
  private final Duration grace;
  private final Threads threads;
  private final Broadcast<StorageEvent> events;
  private final Map<String, Asked> asked = new HashMap<>();

  /** The last question to a node, and what is known from it. */
  private record Asked(PeerNode node, Thread question, Instant at, Presence known) {
    boolean due(Instant now) {
      return !question.isAlive() && (!node.here() || !now.isBefore(at.plus(PERIOD)));
    }
  }

  public Heartbeats(
      Members members, Duration grace, Threads threads, Broadcast<StorageEvent> events) {
    this.members = members;
    this.grace = grace;
    this.threads = threads;
    this.events = events;
  }

  @Override
  public Next run(Instant now) {
    Inbox changes = members.changes();
    Set<String> there = new HashSet<>();
    for (PeerNode peer : members.peers()) {
      there.add(peer.name());
      Asked before = asked.get(peer.name());
      Presence presence = peer.presence(grace);
      if (before != null && presence != before.known()) {
        events.publish(new StorageEvent.NodeChanged(peer.name(), presence.name()));
      }
      if (before == null || before.node() != peer || before.due(now)) {
        asked.put(peer.name(), new Asked(peer, ask(peer), now, presence));
      } else {
        asked.put(peer.name(), new Asked(peer, before.question(), before.at(), presence));
      }
    }
    asked.keySet().retainAll(there);
    return new Next.Await(List.of(changes), now.plus(LOOK));
  }

  private Thread ask(PeerNode peer) {
    return threads.start(
        "storage/heartbeat",
        () -> {
          try {
            peer.greet();
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          }
        });
  }
}
