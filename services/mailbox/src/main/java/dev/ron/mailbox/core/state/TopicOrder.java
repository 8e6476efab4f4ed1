package dev.ron.mailbox.core.state;

import java.util.OptionalLong;

/**
 * Which of a topic's ready messages is next.
 *
 * <p>Threading: owned by the shard's loop.
 */
sealed interface TopicOrder permits GroupFairness, FifoOrder {
  /** Takes in a message whose state is ready. */
  void offer(MessageGroup lane, long number);

  /** Takes in a lane whose queue was filled beforehand. */
  void admit(MessageGroup lane);

  /** Whose turn it is, if a message can be handed out. */
  OptionalLong first();

  /**
   * A message is about to leave; the one whose turn it is pays. To be asked while it is still
   * ready, and followed by {@link #left} when it is not.
   */
  boolean pays(MessageGroup lane, long number);

  void left(MessageGroup lane, boolean itsTurn);

  /** What is in flight or delayed in a lane has changed. */
  void review(MessageGroup lane);

  /** Nothing is ready, blocked or not. */
  boolean isEmpty();

  /** The message that has waited longest, over all groups. */
  OptionalLong oldest();
}
