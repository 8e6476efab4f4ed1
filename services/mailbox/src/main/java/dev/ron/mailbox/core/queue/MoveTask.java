package dev.ron.mailbox.core.queue;

/**
 * A move of a queue's messages to another queue, or of each to the queue it came from.
 *
 * <p>Kept in the home shard of the queue it takes from, so that it goes on after a restart and on
 * the next leader.
 *
 * <p>Threading: immutable.
 *
 * @param id a UUID as text
 * @param destination empty: each to its origin
 * @param perSecond 0 for as fast as it goes
 * @param toMove how many there were at the start
 * @param failure empty if there is none
 */
public record MoveTask(
    String id,
    String source,
    String destination,
    int perSecond,
    long startedMillis,
    Status status,
    long moved,
    long toMove,
    String failure) {
  /** The name is what the journal keeps. */
  public enum Status {
    RUNNING,
    COMPLETED,
    CANCELLED,
    FAILED
  }

  public boolean running() {
    return status == Status.RUNNING;
  }

  /** The same some messages later. */
  public MoveTask after(long more, Status then, String why) {
    return new MoveTask(
        id, source, destination, perSecond, startedMillis, then, moved + more, toMove, why);
  }
}
