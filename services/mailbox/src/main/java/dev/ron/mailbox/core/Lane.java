package dev.ron.mailbox.core;

/**
 * The messages of one group of one topic, and what the group saved for its next turn.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class Lane {
  /**
   * What a lane takes of memory besides its entries: itself, names, places in maps, who was last
   * handed out.
   */
  static final int BYTES = 1160;

  private final int number;
  private final String topic;
  private final String group;
  private final LaneQueue ready;

  /** Messages here in whatever state; the lane is forgotten with the last. */
  int messages;

  /** Units for the next message; see {@link GroupFairness}. */
  int saved;

  /** Who was handed out, to see when an older one comes after them. */
  final ReorderDepth reorderDepth = new ReorderDepth();

  Lane(int number, String topic, String group, MessageIndex index) {
    this.number = number;
    this.topic = topic;
    this.group = group;
    this.ready = new LaneQueue(index);
  }

  int number() {
    return number;
  }

  String topic() {
    return topic;
  }

  String group() {
    return group;
  }

  LaneQueue ready() {
    return ready;
  }
}
