package dev.ron.mailbox.cluster.replica;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Facts of one shard that the machines agreed on, in order.
 *
 * <p>Threading: immutable; the records are never changed.
 *
 * @param anew everything is to be read from the journal first
 */
record ReplayBatch(List<At> facts, boolean anew) {
  /** The journal was replaced: the shard is to be read from it. */
  static final ReplayBatch ANEW = new ReplayBatch(List.of(), true);

  /** One of them, not yet read. */
  record At(long position, ByteBuffer record) {}

  ReplayBatch {
    facts = List.copyOf(facts);
  }
}
