package dev.ron.raft;

import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Brings the groups that this machine leads to the machines they are wanted to have, and to another
 * leader if this one is not to lead.
 *
 * <p>A change takes as long as a new machine needs to be brought up to date, so it has a thread,
 * one at a time. One that fails is tried again: a machine that is not there yet changes nothing.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class GroupMembership implements Task {
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Scope scope;
  private final RaftNode node;
  private final GroupMachines machines;
  private @Nullable Thread change;

  public GroupMembership(Scope scope, RaftNode node, GroupMachines machines) {
    this.scope = scope;
    this.node = node;
    this.machines = machines;
  }

  @Override
  public Next run(Instant now) {
    Map<String, String> peers = machines.wanted();
    List<RaftGroupStatus> all = node.groups().stream().map(RaftGroup::status).toList();
    machines.told(all);
    if (change == null || !change.isAlive()) {
      for (RaftGroupStatus status : all) {
        RaftGroup group = node.group(status.group());
        if (status.leads() && !peers.isEmpty() && !peers(status).equals(peers)) {
          start(() -> change(group, peers));
          break;
        }
        if (status.leads() && !machines.mayLead(node.node())) {
          start(() -> handOver(group, status));
          break;
        }
      }
    }
    return Next.at(now.plus(LOOK));
  }

  private void start(Runnable step) {
    change = scope.world().threads().start(scope.service() + "/raft/members", step);
  }

  private void handOver(RaftGroup group, RaftGroupStatus status) {
    Optional<String> heir = node.heir(status, machines::mayLead);
    if (heir.isEmpty()) {
      return; // the others are away; it leads on rather than that no machine does
    }
    try {
      group.transfer(heir.get(), node.handOverLimit());
      scope.log().info("handed-over", "group", group.number(), "to", heir.get());
    } catch (IOException refused) {
      scope.log().info("not-handed-over", "group", group.number(), "why", refused.toString());
    }
  }

  private void change(RaftGroup group, Map<String, String> peers) {
    try {
      group.change(peers);
      scope.log().info("group-changed", "group", group.number(), "machines", peers.keySet());
    } catch (IOException failed) {
      scope.log().info("group-unchanged", "group", group.number(), "why", failed.toString());
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private static Map<String, String> peers(RaftGroupStatus status) {
    var peers = new TreeMap<String, String>();
    status.peers().forEach(peer -> peers.put(peer.name(), peer.address()));
    return peers;
  }

  @Override
  public void finish(Instant now) {
    if (change != null) {
      change.interrupt();
    }
  }
}
