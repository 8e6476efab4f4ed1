package dev.ron.storage.cluster.member;

import dev.ron.storage.cluster.core.Presence;
import dev.ron.storage.cluster.node.ClusterNode;
import dev.ron.storage.cluster.node.PeerNode;
import dev.ron.storage.cluster.reference.ReferenceGroup;
import dev.ron.storage.cluster.reference.ReferenceNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The machines that decide about references: all that belong to the cluster.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 *
 * @param grace after which a machine is not waited for
 */
public record MemberReferences(Members members, Duration grace) implements ReferenceGroup {
  @Override
  public Roster now() {
    Members.Roster now = members.now();
    List<ClusterNode> here = now.here();
    List<ReferenceNode> asked = here.stream().map(ClusterNode::references).toList();
    return new Roster(now.nodes().size(), asked, now.unasked(here));
  }

  @Override
  public Optional<String> unknown() {
    return members.unknown();
  }

  @Override
  public boolean isGone(String node) {
    if (node.equals(members.local().name())) {
      return false;
    }
    for (PeerNode peer : members.peers()) {
      if (peer.name().equals(node)) {
        return peer.presence(grace) == Presence.GONE;
      }
    }
    return true;
  }
}
