package dev.ron.storage.core;

import dev.ron.blake3.Address;

/**
 * A plan of repair as the queue sees it, whether it is for the disks of one node or between nodes.
 *
 * <p>Threading: immutable.
 */
public interface QueuedRepair {
  /** What a plan does, which decides its place in the queue. */
  enum Work {
    COPY,
    SHARD,
    REMOVAL
  }

  Address address();

  long sizeBytes();

  /** The home that will be different afterwards. */
  String home();

  /** One more loss would mean that data is lost. */
  boolean urgent();

  Work work();
}
