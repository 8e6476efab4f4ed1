package dev.ron.rewarder.epoch;

import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.time.Duration;
import java.time.Instant;

/**
 * The health reporter: writes the events of the service to the audit log, one line each.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class AuditReporter implements Task {
  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

  private final Broadcast<String>.Subscription events;
  private final Log log;

  public AuditReporter(Broadcast<String> events, Log log) {
    this.events = events.subscribe();
    this.log = log;
  }

  @Override
  public Next run(Instant now) {
    String event = events.tryReceive();
    if (event == null) {
      return Next.await(events, now.plus(LOOK_EVERY));
    }
    log.info("audit", "event", event);
    return Next.again();
  }
}
