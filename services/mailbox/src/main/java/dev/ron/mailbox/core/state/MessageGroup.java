package dev.ron.mailbox.core.state;

import dev.ron.mailbox.core.queue.QueueTopic;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one group of one topic, and what the group saved for its next turn.
 *
 * <p>Threading: owned by the shard's loop.
 */
public final class MessageGroup {
  /**
   * What a lane takes of memory besides its entries and who was last handed out: itself, its name,
   * its places in maps and in line, the first block of its queue.
   */
  static final int BYTES = 480;

  private final int number;
  private final MessageGroupName name;
  private final ReadyQueue ready;

  /** Messages here in whatever state; the lane is forgotten with the last. */
  int messages;

  /** Units for the next message; see {@link GroupFairness}. */
  int saved;

  /** What of a FIFO queue's group is in flight or delayed; made when it is needed. */
  private @Nullable TreeSet<Long> held;

  /** Who was handed out, to see when an older one comes after them. */
  public final ReorderDepth reorderDepth = new ReorderDepth();

  MessageGroup(int number, MessageGroupName name, MessageIndex index) {
    this.number = number;
    this.name = name;
    this.ready = new ReadyQueue(index, number);
  }

  boolean isFifo() {
    return QueueTopic.isFifo(topic());
  }

  void hold(long each) {
    if (held == null) {
      held = new TreeSet<>();
    }
    held.add(each);
  }

  void release(long each) {
    if (held != null && held.remove(each) && held.isEmpty()) {
      held = null;
    }
  }

  /** Something older than the oldest that is ready is in flight or delayed. */
  boolean blocked() {
    return held != null && held.first() < ready.first();
  }

  /** Whether a call that got these of the group's messages may have its next one. */
  boolean openTo(List<Long> taken) {
    if (ready.isEmpty()) {
      return false;
    }
    if (held == null) {
      return true;
    }
    long next = ready.first();
    for (long each : held) {
      if (each > next) {
        break;
      }
      if (!taken.contains(each)) {
        return false;
      }
    }
    return true;
  }

  int number() {
    return number;
  }

  MessageGroupName name() {
    return name;
  }

  public String topic() {
    return name.topic();
  }

  public String group() {
    return name.group();
  }

  ReadyQueue ready() {
    return ready;
  }
}
