package dev.ron.mailbox.task;

/**
 * What one shard has of a {@link Ceiling}.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class Share {
  private final Ceiling ceiling;
  private long held;

  Share(Ceiling ceiling) {
    this.ceiling = ceiling;
  }

  /** As much of {@code wanted} as there is room for, until the next {@link #settle}. */
  long reserve(long wanted) {
    long got = ceiling.reserve(wanted);
    held += got;
    return got;
  }

  /** Keeps what is really used and gives back the rest. */
  void settle(long used) {
    if (used > held) {
      ceiling.occupy(used - held);
    } else {
      ceiling.release(held - used);
    }
    held = used;
  }

  Ceiling ceiling() {
    return ceiling;
  }
}
