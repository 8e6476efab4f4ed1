package dev.ron.raft;

import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Door;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * This machine's part in all groups of a cluster.
 *
 * <p>Threading: thread-safe once it is open.
 */
public interface RaftNode extends Door {
  /** Makes this machine's part in a cluster; {@link RatisNode} in production. */
  @FunctionalInterface
  interface Maker {
    /**
     * @param machines what the log of each group drives, by the group's number
     */
    RaftNode make(Scope scope, RaftSettings settings, IntFunction<RaftStateMachine> machines);
  }

  /** One for each group, in order; empty before {@link #open}. */
  List<RaftGroup> groups();

  RaftGroup group(int number);

  /** This machine's name. */
  String node();

  /** Longer than an election takes: who says nothing for so long is gone. */
  Duration silenceMax();

  /** The machine that is furthest besides this one, of those that are there and may lead. */
  default Optional<String> heir(RaftGroupStatus status, Predicate<String> mayLead) {
    return status.peers().stream()
        .filter(peer -> mayLead.test(peer.name()))
        .filter(peer -> !peer.name().equals(node()))
        .filter(peer -> peer.silence().compareTo(silenceMax()) < 0)
        .max(Comparator.comparingLong(RaftGroupStatus.Peer::matched))
        .map(RaftGroupStatus.Peer::name);
  }

  /** Hands what this machine leads to others first. */
  @Override
  void end(Deadline deadline);

  /** For that long at most a leader refuses what comes, because another is to lead. */
  Duration handOverLimit();
}
