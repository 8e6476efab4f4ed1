package dev.ron.mailbox.task;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Facts of one shard that the machines agreed on, in order.
 *
 * <p>Threading: immutable; the records are never changed.
 */
record Replayed(List<At> facts) {
  /** One of them, not yet read. */
  record At(long position, ByteBuffer record) {}

  Replayed {
    facts = List.copyOf(facts);
  }
}
