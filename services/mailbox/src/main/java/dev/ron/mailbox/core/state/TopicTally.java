package dev.ron.mailbox.core.state;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Counts for each topic of a shard, kept as messages move so that looking costs nothing.
 *
 * <p>Threading: owned by the shard's loop.
 */
public final class TopicTally {
  private final Map<String, Counts> topics = new TreeMap<>();

  /** The figures of one topic. */
  public static final class Counts {
    public int ready;
    public int delayed;
    public int inFlight;
    public int dead;
    public long sent;
    public long acked;

    private boolean isGone() {
      return ready == 0 && delayed == 0 && inFlight == 0 && dead == 0;
    }
  }

  /** A topic without a message is forgotten, or names would pile up without a limit. */
  void change(String topic, Consumer<Counts> by) {
    Counts counts = topics.computeIfAbsent(topic, _ -> new Counts());
    by.accept(counts);
    if (counts.isGone()) {
      topics.remove(topic);
    }
  }

  /** A step in the middle of a move: the topic stays even if its figures are zero for a moment. */
  void pass(String topic, Consumer<Counts> by) {
    by.accept(topics.computeIfAbsent(topic, _ -> new Counts()));
  }

  public Map<String, Counts> all() {
    return topics;
  }
}
