package dev.ron.mailbox.core.state;

import dev.ron.mailbox.core.queue.QueueTopic;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Counts for each topic of a shard, kept as messages move so that looking costs nothing.
 *
 * <p>Threading: owned by the shard's loop.
 */
public final class TopicTally {
  private static final Counts NONE = new Counts();

  private final Map<String, Counts> topics = new TreeMap<>();
  private int queueLiving;
  private int queueInFlight;

  /** The figures of one topic. */
  public static final class Counts {
    public int ready;
    public int delayed;
    public int inFlight;
    public int dead;
    public long sent;
    public long acked;

    private int living() {
      return ready + delayed + inFlight;
    }

    private boolean isGone() {
      return living() == 0 && dead == 0;
    }
  }

  /** A topic without a message is forgotten, or names would pile up without a limit. */
  void change(String topic, Consumer<Counts> by) {
    Counts counts = counted(topic, by);
    if (counts.isGone()) {
      topics.remove(topic);
    }
  }

  /** A step in the middle of a move: the topic stays even if its figures are zero for a moment. */
  void pass(String topic, Consumer<Counts> by) {
    var _ = counted(topic, by);
  }

  private Counts counted(String topic, Consumer<Counts> by) {
    Counts counts = topics.computeIfAbsent(topic, _ -> new Counts());
    int living = counts.living();
    int inFlight = counts.inFlight;
    by.accept(counts);
    if (QueueTopic.is(topic)) {
      queueLiving += counts.living() - living;
      queueInFlight += counts.inFlight - inFlight;
    }
    return counts;
  }

  /** Living messages of queues, which have bounds of their own. */
  public int queueLiving() {
    return queueLiving;
  }

  public int queueInFlight() {
    return queueInFlight;
  }

  /** The figures of a topic; zeros if it has no message. */
  public Counts of(String topic) {
    return topics.getOrDefault(topic, NONE);
  }

  public Map<String, Counts> all() {
    return topics;
  }
}
