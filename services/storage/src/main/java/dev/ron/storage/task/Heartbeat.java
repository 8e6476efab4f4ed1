package dev.ron.storage.task;

import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.core.Presence;
import java.time.Duration;
import java.time.Instant;

/**
 * Asks one other node every second how it is, and tells when that changes.
 *
 * <p>Threading: one step at a time.
 */
public final class Heartbeat implements Task {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  /** One that is back is of use at once. */
  private static final Duration PERIOD_AWAY = Duration.ofMillis(250);

  private final PeerNode node;
  private final Duration grace;
  private final Broadcast<StorageEvent> events;
  private Presence known = Presence.HERE;

  public Heartbeat(PeerNode node, Duration grace, Broadcast<StorageEvent> events) {
    this.node = node;
    this.grace = grace;
    this.events = events;
  }

  @Override
  public Next run(Instant now) throws InterruptedException {
    node.greet();
    Presence presence = node.presence(grace);
    if (presence != known) {
      known = presence;
      events.publish(new StorageEvent.NodeChanged(node.name(), presence.name()));
    }
    return Next.at(now.plus(node.here() ? PERIOD : PERIOD_AWAY));
  }
}
