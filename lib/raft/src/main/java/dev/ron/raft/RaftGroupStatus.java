package dev.ron.raft;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A group as one of its machines sees it.
 *
 * <p>Threading: immutable.
 *
 * @param leader empty if none is known
 * @param leads this machine leads and has applied everything before
 * @param quorum this machine leads with a majority, or has heard from the leader of late
 * @param sinceLeader how long ago this machine heard from the leader; zero on the leader itself
 * @param applied the newest entry this machine has applied
 * @param alive false once this machine has given up on the group
 * @param peers its machines, as the newest entry of this machine's log has them
 * @param members those that have agreed on being its machines, so that a majority of them has
 *     whatever counts; empty while a change waits for its last entry
 */
public record RaftGroupStatus(
    int group,
    Optional<String> leader,
    boolean leads,
    boolean quorum,
    long term,
    Duration sinceLeader,
    long committed,
    long applied,
    boolean alive,
    List<Peer> peers,
    Set<String> members) {
  public RaftGroupStatus {
    members = Set.copyOf(members);
    peers = List.copyOf(peers);
  }

  /**
   * A machine of the group.
   *
   * @param matched how far the leader knows it to be; -1 when asked of another than the leader
   * @param silence how long ago it answered the leader; zero when asked of another than the leader
   */
  public record Peer(String name, String address, long matched, Duration silence) {}
}
