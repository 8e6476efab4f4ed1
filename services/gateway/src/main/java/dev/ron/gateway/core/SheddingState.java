package dev.ron.gateway.core;

/**
 * Whether writes are refused so that reads go on.
 *
 * <p>It begins when four fifths of the room are taken and ends when less than half is, so that it
 * does not flicker. While it lasts, a tenant that takes no more than half of its fair share of the
 * room may still write: one loud reader must not silence the writes of all others.
 *
 * <p>Threading: immutable; each look at the room gives the next.
 */
public record SheddingState(boolean on) {
  public static final SheddingState OFF = new SheddingState(false);

  /**
   * @param inside requests that wait or run
   * @param room how many may
   */
  public SheddingState look(int inside, int room) {
    if (on) {
      return (long) inside * 2 < room ? OFF : this;
    }
    return (long) inside * 5 >= (long) room * 4 ? new SheddingState(true) : this;
  }

  /**
   * @param own requests of the tenant that wait or run, this one included
   * @param tenants with at least one such request
   */
  public boolean refuses(boolean write, int own, int tenants, int room) {
    return on && write && (long) own * 2 * Math.max(1, tenants) > room;
  }
}
