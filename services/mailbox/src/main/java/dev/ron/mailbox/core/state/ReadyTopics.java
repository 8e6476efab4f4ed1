package dev.ron.mailbox.core.state;

import dev.ron.mailbox.core.queue.QueueTopic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The ready messages of all topics, and which of each is next.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class ReadyTopics {
  private final MessageIndex index;
  private final Map<String, Order> topics = new HashMap<>();

  /** Which of a topic's ready messages is next. */
  sealed interface Order permits GroupFairness, FifoOrder {
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

  ReadyTopics(MessageIndex index) {
    this.index = index;
  }

  private Order order(String topic) {
    return topics.computeIfAbsent(
        topic, _ -> QueueTopic.isFifo(topic) ? new FifoOrder() : new GroupFairness(index));
  }

  /** Takes in a message whose state is ready. */
  void offer(MessageGroup lane, long number) {
    order(lane.topic()).offer(lane, number);
  }

  /** Takes in a lane whose queue was filled beforehand. */
  void admit(MessageGroup lane) {
    order(lane.topic()).admit(lane);
  }

  /** A message that is ready is not any more: it is lifted. */
  void lift(MessageGroup lane, long number) {
    Order queue = Objects.requireNonNull(topics.get(lane.topic()), "a ready topic");
    boolean itsTurn = queue.pays(lane, number);
    index.state(number, IndexedMessage.State.LIFTED);
    queue.left(lane, itsTurn);
    if (queue.isEmpty()) {
      topics.remove(lane.topic());
    }
  }

  /** What is in flight or delayed in a FIFO queue blocks what was sent after it. */
  void hold(MessageGroup lane, long number) {
    if (lane.isFifo()) {
      lane.hold(number);
      review(lane);
    }
  }

  void release(MessageGroup lane, long number) {
    if (lane.isFifo()) {
      lane.release(number);
      review(lane);
    }
  }

  private void review(MessageGroup lane) {
    Order order = topics.get(lane.topic());
    if (order != null) {
      order.review(lane);
    }
  }

  OptionalLong first(String topic) {
    Order queue = topics.get(topic);
    return queue == null ? OptionalLong.empty() : queue.first();
  }

  /**
   * The message that a call gets next: of a FIFO queue as long as it can be of the group it got the
   * last from.
   */
  OptionalLong next(MessageGroup last, List<Long> taken) {
    return last.isFifo() && last.openTo(taken)
        ? OptionalLong.of(last.ready().first())
        : first(last.topic());
  }

  OptionalLong oldest(String topic) {
    Order queue = topics.get(topic);
    return queue == null ? OptionalLong.empty() : queue.oldest();
  }
}
