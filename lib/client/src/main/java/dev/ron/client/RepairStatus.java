package dev.ron.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a storage's repair stands: what is planned, how fast it may go, what it has found.
 *
 * <p>Threading: immutable.
 *
 * @param etaSeconds null if nothing is planned
 * @param cluster null if the storage is one node
 */
public record RepairStatus(
    Plans plans,
    Budget budget,
    Round lastRound,
    @Nullable Long etaSeconds,
    Scrub scrub,
    Damaged damaged,
    List<Home> homes,
    @Nullable Cluster cluster) {
  /** What is queued and under way. */
  public record Plans(int all, int urgentWaiting, int ordinaryWaiting, long bytesLeft) {}

  /** How fast repair goes now and may go, and what it has moved since the start. */
  public record Budget(long bytesPerSecond, long fullBytesPerSecond, long movedBytes) {}

  /** What the last comparison of the node's own directories found. */
  public record Round(
      long number, long objects, long tooFewCopies, long unrepairable, int copiesLeast) {}

  /** How far the scrubber is. */
  public record Scrub(long cycle, long objects, long bytes, long bad) {}

  /** Objects with a bad copy, the first of them by name. */
  public record Damaged(int objects, List<String> some) {}

  /** A directory and what it can be asked for. */
  public record Home(
      String id,
      String label,
      String serves,
      @Nullable String why,
      long objects,
      long bytes,
      long freeBytes) {}

  /** Another node. */
  public record Node(String node, String url, String presence, boolean takesWrites) {}

  /** The other nodes, who says so, and what the last comparison with them found. */
  public record Cluster(
      String node,
      String registry,
      List<Node> nodes,
      int replication,
      long round,
      long missing,
      long urgent,
      long surplus,
      long skipped,
      List<String> away) {}
}
