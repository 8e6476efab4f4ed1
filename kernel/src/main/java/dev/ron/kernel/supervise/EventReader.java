package dev.ron.kernel.supervise;

import dev.ron.kernel.channel.Broadcast;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * Hands every event of a broadcast to one reader, such as an audit log.
 *
 * <p>It stands above the tasks and doors that publish, so that it hears the last of them too.
 *
 * <p>Threading: steps from one thread at a time, on which the reader is called.
 */
public final class EventReader<T> implements Task {
  private final Broadcast<T>.Subscription events;
  private final Consumer<T> reader;

  public EventReader(Broadcast<T> events, Consumer<T> reader) {
    this.events = events.subscribe();
    this.reader = reader;
  }

  @Override
  public Next run(Instant now) {
    events.drain().forEach(reader);
    return Next.await(events);
  }

  @Override
  public void finish(Instant now) {
    events.drain().forEach(reader);
  }
}
