package dev.ron.storage.cluster.object;

import dev.ron.blake3.Address;
import dev.ron.storage.StorageFault;
import dev.ron.storage.cluster.member.Members;
import dev.ron.storage.cluster.node.ClusterNode;
import dev.ron.storage.cluster.node.Fanout;
import dev.ron.storage.cluster.node.PeerNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A delete on all nodes, or on none if one of them does not answer.
 *
 * <p>Threading: immutable.
 */
record ClusterDelete(Members members, Fanout fanout) {
  private static final int PASSES_MAX = 4;

  /**
   * Why it could not be done; empty if it was.
   *
   * @param seal that each node has on it; null where objects have no references
   */
  Optional<StorageFault> run(Address address, @Nullable String seal) throws InterruptedException {
    Optional<String> unknown = members.unknown();
    if (unknown.isPresent()) {
      return Optional.of(new StorageFault.Unavailable(unknown.get()));
    }
    Members.Roster now = members.now();
    List<String> away = new ArrayList<>();
    // Asked now, not a second ago: a delete that reaches some nodes only is undone by the others.
    for (Fanout.Answer<PeerNode, Boolean> answer : fanout.ask(now.peers(), PeerNode::answers)) {
      if (!Boolean.TRUE.equals(answer.value())) {
        away.add(answer.node().name());
      }
    }
    if (!away.isEmpty()) {
      return Optional.of(
          new StorageFault.Unavailable(
              "a delete would be undone by copies on nodes that do not answer: " + away));
    }
    boolean found = false;
    List<String> trouble = List.of();
    // A repair that had begun may put a copy back behind the first pass; the second finds it.
    for (int pass = 0; pass < PASSES_MAX; pass++) {
      List<Fanout.Answer<ClusterNode, Boolean>> answers =
          fanout.ask(List.copyOf(now.nodes().values()), node -> node.delete(address, seal));
      boolean clean = true;
      var troubles = new ArrayList<String>();
      for (Fanout.Answer<ClusterNode, Boolean> answer : answers) {
        if (answer.trouble() != null) {
          troubles.add(answer.node().name() + ": " + answer.trouble().getMessage());
        }
        boolean had = Boolean.TRUE.equals(answer.value());
        found |= had;
        clean &= answer.trouble() == null && !had;
      }
      trouble = troubles;
      if (clean) {
        return found ? Optional.empty() : Optional.of(new StorageFault.NotFound(address));
      }
    }
    return Optional.of(
        new StorageFault.Unavailable(
            "%s is not deleted everywhere: %s".formatted(address, String.join("; ", trouble))));
  }
}
