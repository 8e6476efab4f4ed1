package dev.ron.mailbox.core.state;

/**
 * The messages of one group of one topic, and what the group saved for its next turn.
 *
 * <p>Threading: owned by the shard's loop.
 */
public final class MessageGroup {
  /**
   * What a lane takes of memory besides its entries: itself, names, places in maps, who was last
   * handed out.
   */
  static final int BYTES = 1160;

  private final int number;
  private final String topic;
  private final String group;
  private final ReadyQueue ready;

  /** Messages here in whatever state; the lane is forgotten with the last. */
  int messages;

  /** Units for the next message; see {@link GroupFairness}. */
  int saved;

  /** Who was handed out, to see when an older one comes after them. */
  public final ReorderDepth reorderDepth = new ReorderDepth();

  MessageGroup(int number, String topic, String group, MessageIndex index) {
    this.number = number;
    this.topic = topic;
    this.group = group;
    this.ready = new ReadyQueue(index);
  }

  int number() {
    return number;
  }

  public String topic() {
    return topic;
  }

  public String group() {
    return group;
  }

  ReadyQueue ready() {
    return ready;
  }
}
