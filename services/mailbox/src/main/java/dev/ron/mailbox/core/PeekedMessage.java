package dev.ron.mailbox.core;

import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.TopicOwner;

/**
 * A message as it lies in its queue, seen without being received.
 *
 * <p>Threading: immutable.
 *
 * @param envelope its receipt fits nothing; its attempt is how often it was received
 * @param state {@code ready}, {@code delayed} or {@code in-flight}
 */
public record PeekedMessage(Envelope envelope, String state) {
  /** The same, as a caller knows it. */
  public PeekedMessage shownTo(TopicOwner caller) {
    return new PeekedMessage(envelope.shownTo(caller), state);
  }
}
