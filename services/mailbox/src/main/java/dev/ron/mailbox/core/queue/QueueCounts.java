package dev.ron.mailbox.core.queue;

/**
 * How many messages a queue has, over all shards.
 *
 * <p>Threading: immutable.
 */
public record QueueCounts(int ready, int delayed, int inFlight) {
  public static final QueueCounts NONE = new QueueCounts(0, 0, 0);

  public QueueCounts plus(QueueCounts other) {
    return new QueueCounts(ready + other.ready, delayed + other.delayed, inFlight + other.inFlight);
  }
}
