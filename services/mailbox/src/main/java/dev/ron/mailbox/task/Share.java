package dev.ron.mailbox.task;

/**
 * What one shard has of a {@link Ceiling}, beyond what is its own.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class Share {
  private final Ceiling ceiling;
  private final long own;
  private long held;

  /**
   * @param own what the shard may use without asking the others
   */
  Share(Ceiling ceiling, long own) {
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

  Ceiling ceiling() {
    return ceiling;
  }
}
