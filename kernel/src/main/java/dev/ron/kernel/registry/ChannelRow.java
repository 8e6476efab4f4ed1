package dev.ron.kernel.registry;

/**
 * A channel as the registry shows it.
 *
 * @param kind {@code channel}, {@code watch}, {@code broadcast}, or {@code pool} for things that
 *     are lent, whose depth is how many are out
 * @param overflow what happens at the limit, in the words of the documentation
 * @param passed items that were taken in since the start; {@link #UNCOUNTED} where none counts them
 */
public record ChannelRow(
    String name,
    String kind,
    int capacity,
    String overflow,
    int depth,
    long dropped,
    long rejected,
    long passed) {
  static final long UNCOUNTED = -1;

  /** One whose items are not counted. */
  public ChannelRow(
      String name,
      String kind,
      int capacity,
      String overflow,
      int depth,
      long dropped,
      long rejected) {
    this(name, kind, capacity, overflow, depth, dropped, rejected, UNCOUNTED);
  }

  /** The name without the number that tells it from its siblings, as {@code inbox}. */
  public static String queue(String name) {
    int dash = numberAt(name);
    return dash < 0 ? name : name.substring(0, dash);
  }

  /** That number, as {@code 3} of {@code inbox-3}; empty if it has none. */
  public static String shard(String name) {
    int dash = numberAt(name);
    return dash < 0 ? "" : name.substring(dash + 1);
  }

  private static int numberAt(String name) {
    int dash = name.lastIndexOf('-');
    boolean numbered =
        dash > 0
            && dash + 1 < name.length()
            && name.chars().skip(dash + 1L).allMatch(c -> c >= '0' && c <= '9');
    return numbered ? dash : -1;
  }
}
