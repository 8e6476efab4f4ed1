package dev.ron.mailbox.core;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The bodies of the messages of one shard, apart from what orders them.
 *
 * <p>Nothing that orders, leases or counts messages touches a body, so that bodies can live
 * elsewhere than in memory.
 *
 * <p>Threading: owned by the shard's loop; the arrays are never changed.
 */
final class Bodies {
  private final Map<Ulid, byte[]> bodies = new HashMap<>();
  private long bytes;

  void put(Ulid id, byte[] body) {
    if (bodies.put(id, body) != null) {
      throw new IllegalStateException("two bodies of " + id);
    }
    bytes += body.length;
  }

  byte[] of(Ulid id) {
    return Objects.requireNonNull(bodies.get(id), "a message without a body");
  }

  void remove(Ulid id) {
    bytes -= Objects.requireNonNull(bodies.remove(id), "a message without a body").length;
  }

  long bytes() {
    return bytes;
  }
}
