package dev.ron.storage.cluster.core;

import dev.ron.blake3.Address;
import dev.ron.storage.core.Placement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which nodes there are and what is asked of them: enough to say where every object belongs.
 *
 * <p>Weighted rendezvous hashing: each pair of an object and a node has a score that depends on
 * nothing else. A node that joins takes only what it now scores highest for; what a node that
 * leaves had goes to each object's next one; a weight that changes moves copies from or to that
 * node alone.
 *
 * <p>Threading: immutable.
 *
 * @param residency regions in which objects may lie; empty is all of them
 * @param replication copies of each object
 */
public record ClusterMap(List<Member> members, Set<String> residency, int replication) {
  public ClusterMap {
    members = members.stream().sorted(Comparator.comparing(Member::name)).toList();
    residency = Set.copyOf(residency);
    if (members.stream().map(Member::name).distinct().count() < members.size()) {
      throw new IllegalArgumentException("two nodes of one name among " + members);
    }
  }

  /** The same without those that are planned around. */
  public ClusterMap without(Set<String> names) {
    return new ClusterMap(
        members.stream().filter(member -> !names.contains(member.name())).toList(),
        residency,
        replication);
  }

  /**
   * All nodes that may have the object, the preferred first: the best of each region in turn before
   * the second of any.
   */
  public List<String> order(Address address) {
    byte[] hash = address.hash().bytes();
    List<Scored> scored = new ArrayList<>();
    for (Member member : members) {
      if (member.weight() > 0 && (residency.isEmpty() || residency.contains(member.region()))) {
        scored.add(new Scored(member, score(hash, member)));
      }
    }
    scored.sort(
        Comparator.comparingDouble(Scored::score)
            .reversed()
            .thenComparing(each -> each.member().name()));
    var seen = new HashSet<String>();
    var first = new ArrayList<String>(scored.size());
    var rest = new ArrayList<String>();
    for (Scored each : scored) {
      (seen.add(each.member().region()) ? first : rest).add(each.member().name());
    }
    first.addAll(rest);
    return first;
  }

  /** The nodes that shall have a copy. */
  public List<String> targets(Address address) {
    List<String> order = order(address);
    return order.size() <= replication ? order : List.copyOf(order.subList(0, replication));
  }

  private record Scored(Member member, double score) {}

  /** Logarithmic, so that each node's share is its weight's share exactly. */
  private static double score(byte[] hash, Member member) {
    // Strict: the last bit must be the same on every machine.
    return member.weight() / -StrictMath.log(unit(Placement.mixed(hash, member.name())));
  }

  /** In (0, 1), from the first 53 bits. */
  private static double unit(byte[] mixed) {
    return ((ByteBuffer.wrap(mixed).getLong() >>> 11) + 0.5) * 0x1p-53;
  }

  /**
   * For each shard of a coded object the node that shall have it.
   *
   * <p>No node has more than it must: with as many nodes as shards each has one. Among those, the
   * pairs of shard and node that score highest are taken first, which is a stable matching: a node
   * that joins sets off one short chain of moves.
   *
   * @return empty if there is no node at all
   */
  public List<String> shards(Address address, int shards) {
    List<String> allowed = order(address);
    if (allowed.isEmpty()) {
      return List.of();
    }
    int each = Math.ceilDiv(shards, allowed.size());
    return ShardAssignment.match(scores(address, allowed, shards), allowed, shards, each);
  }

  private List<ShardAssignment.Pair> scores(Address address, List<String> allowed, int shards) {
    var pairs = new ArrayList<ShardAssignment.Pair>();
    byte[] hash = address.hash().bytes();
    for (int shard = 0; shard < shards; shard++) {
      byte[] own = Placement.mixed(hash, "shard " + shard);
      for (Member member : members) {
        if (allowed.contains(member.name())) {
          pairs.add(new ShardAssignment.Pair(shard, member.name(), score(own, member)));
        }
      }
    }
    return pairs;
  }
}
