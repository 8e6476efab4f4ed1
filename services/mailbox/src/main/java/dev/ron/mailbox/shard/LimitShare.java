package dev.ron.mailbox.shard;

/**
 * What one shard has of a {@link SharedLimit}, beyond what is its own.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class LimitShare {
  private final SharedLimit ceiling;
  private final long own;
  private long held;

  /**
   * @param own what the shard may use without asking the others
   */
  LimitShare(SharedLimit ceiling, long own) {
    this.ceiling = ceiling;
    this.own = own;
  }

  /** As much of {@code wanted} as there is room for, until the next {@link #settle}. */
  long reserve(long wanted) {
    long ours = Math.clamp(own - held, 0, wanted);
    long got = ours + ceiling.reserve(wanted - ours);
    held += got;
    return got;
  }

  /** Keeps what is really used and gives back the rest. */
  void settle(long used) {
    long beyond = Math.max(0, held - own);
    long now = Math.max(0, used - own);
    if (now > beyond) {
      ceiling.occupy(now - beyond);
    } else {
      ceiling.release(beyond - now);
    }
    held = used;
  }

  SharedLimit ceiling() {
    return ceiling;
  }
}
