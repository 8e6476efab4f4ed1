package dev.ron.mailbox.cluster;

import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.mailbox.cluster.replica.Replica;
import dev.ron.raft.RaftGroup;
import dev.ron.raft.RaftGroupStatus;
import dev.ron.raft.RaftNode;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Spreads leadership over the machines, and gives up what cannot be used here.
 *
 * <p>A machine that leads two groups more than another hands one over, if it finds that twice in a
 * row: a machine that is stopping has just handed over what it led and must not get it back. Never
 * to one that has not answered of late, because a leader that hands over refuses what comes until
 * the other has begun. A leader whose term ended without an election, because a proposal was
 * refused, or that goes on refusing what comes, makes room for one.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class LeadershipBalancer implements Task {
  /** A machine that is so many entries behind would have to catch up first. */
  private static final long BEHIND_MAX = 1000;

  private final Scope scope;
  private final RaftNode node;
  private final List<Replica> replicas;
  private final boolean spreads;
  private final Map<Integer, Integer> idle = new HashMap<>();
  private Optional<Move> wanted = Optional.empty();

  /** A group that another machine should lead. */
  private record Move(int group, String to) {}

  public LeadershipBalancer(Scope scope, RaftNode node, List<Replica> replicas, boolean spreads) {
    this.scope = scope;
    this.node = node;
    this.replicas = replicas;
    this.spreads = spreads;
  }

  @Override
  public Next run(Instant now) {
    List<RaftGroupStatus> all = node.groups().stream().map(RaftGroup::status).toList();
    for (RaftGroupStatus status : all) {
      boolean stuck = status.leads() && isStuck(status.group());
      int times = stuck ? idle.merge(status.group(), 1, Integer::sum) : 0;
      if (!stuck) {
        idle.remove(status.group());
      } else if (times > 1) {
        giveUp(status.group());
      }
    }
    if (spreads) {
      Optional<Move> move = uneven(all);
      boolean again = move.isPresent() && move.equals(wanted);
      wanted = again ? Optional.empty() : move;
      if (again) {
        move.ifPresent(each -> hand(each.group(), each.to()));
      }
    }
    return Next.at(now.plus(node.silenceMax()));
  }

  private boolean isStuck(int group) {
    try {
      return !replicas.get(group).decides() || node.group(group).refuses();
    } catch (IOException closing) {
      return false;
    }
  }

  private void giveUp(int group) {
    try {
      node.group(group).stepDown();
      scope.log().warn("gave-up", "group", group, "why", "it led and could decide nothing");
    } catch (IOException refused) {
      scope.log().warn("not-given-up", "group", group, "why", refused.toString());
    }
  }

  private boolean isThere(RaftGroupStatus.Peer peer) {
    return peer.silence().compareTo(node.silenceMax()) < 0;
  }

  private Optional<Move> uneven(List<RaftGroupStatus> all) {
    Map<String, Integer> leads = new HashMap<>();
    for (RaftGroupStatus status : all) {
      status.peers().forEach(peer -> leads.putIfAbsent(peer.name(), 0));
      status.leader().ifPresent(leader -> leads.merge(leader, 1, Integer::sum));
    }
    int mine = leads.getOrDefault(node.node(), 0);
    for (RaftGroupStatus status : all) {
      for (RaftGroupStatus.Peer peer :
          status.leads() ? status.peers() : List.<RaftGroupStatus.Peer>of()) {
        boolean fewer = leads.getOrDefault(peer.name(), 0) + 2 <= mine;
        boolean near = peer.matched() >= 0 && status.committed() - peer.matched() < BEHIND_MAX;
        if (fewer && near && isThere(peer)) {
          return Optional.of(new Move(status.group(), peer.name()));
        }
      }
    }
    return Optional.empty();
  }

  private void hand(int group, String to) {
    try {
      node.group(group).transfer(to, node.handOverLimit());
      scope.log().info("handed-over", "group", group, "to", to);
    } catch (IOException refused) {
      scope.log().info("not-handed-over", "group", group, "to", to, "why", refused.toString());
      // What came meanwhile was refused, and that ends a term: it would lead and decide nothing.
      if (node.group(group).status().leads() && !replicas.get(group).decides()) {
        giveUp(group);
      }
    }
  }
}
