package dev.ron.mailbox.task;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Facts of one shard that the machines agreed on, in order.
 *
 * <p>Threading: immutable; the records are never changed.
 *
 * @param anew everything is to be read from the journal first
 */
record Replayed(List<At> facts, boolean anew) {
  /** The journal was replaced: the shard is to be read from it. */
  static final Replayed ANEW = new Replayed(List.of(), true);

  /** One of them, not yet read. */
  record At(long position, ByteBuffer record) {}

  Replayed {
    facts = List.copyOf(facts);
  }
}
