package dev.ron.mailbox.core.queue;

/**
 * Where a message goes that was received too often.
 *
 * <p>Threading: immutable.
 *
 * @param topic the dead-letter queue
 * @param receivesMax after so many receives that ended without a delete it is moved
 */
public record RedriveTarget(String topic, int receivesMax) {
  public RedriveTarget {
    if (receivesMax < 1 || receivesMax > 1000) {
      throw new IllegalArgumentException("maxReceiveCount = " + receivesMax);
    }
  }
}
