package dev.ron.mailbox.disk;

import dev.ron.mailbox.core.Fact;
import java.util.List;

/**
 * One shard at one moment, as facts that lead to it.
 *
 * <p>Threading: immutable.
 *
 * @param position every fact of this shard before this position is in it, and none after
 */
public record Captured(int shard, long position, List<Fact> facts) {
  public Captured {
    facts = List.copyOf(facts);
  }
}
