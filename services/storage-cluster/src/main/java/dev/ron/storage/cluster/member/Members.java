package dev.ron.storage.cluster.member;

import dev.ron.blake3.Address;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Inbox;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.time.Time;
import dev.ron.storage.cluster.StorageClusterConfig;
import dev.ron.storage.cluster.core.ClusterMap;
import dev.ron.storage.cluster.core.Membership;
import dev.ron.storage.cluster.core.Presence;
import dev.ron.storage.cluster.node.ClusterNode;
import dev.ron.storage.cluster.node.LocalNode;
import dev.ron.storage.cluster.node.PeerClient;
import dev.ron.storage.cluster.node.PeerNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The nodes there are now, a way to each of them, and where objects belong among them.
 *
 * <p>Threading: thread-safe; a reader sees one roster whole, and {@code lock} lets one change
 * happen after the other.
 */
public final class Members {
  private final LocalNode local;
  private final Set<String> residency;
  private final int replication;
  private final Duration grace;
  private final Road road;
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Watch<Roster> roster;
  private volatile String registry = "list";
  private volatile boolean known = true;

  /** Makes the way to another node. */
  public interface Road {
    PeerNode to(String name, String url);
  }

  public Members(
      LocalNode local, StorageClusterConfig config, int replication, Road road, Scope scope) {
    this.local = local;
    this.residency = Set.copyOf(config.residency());
    this.replication = replication;
    this.grace = config.grace();
    this.road = road;
    this.time = scope.time();
    this.roster = Watch.of(scope, "members", roster(config.membership(), Map.of()));
    if (config.etcd().used() && config.peers().size() < 2) {
      this.known = false;
      this.registry = "etcd was not heard yet";
    }
  }

  /** What holds together at one moment. */
  public record Roster(
      Membership membership,
      ClusterMap view,
      List<PeerNode> peers,
      Map<String, ClusterNode> nodes) {
    public Roster {
      peers = List.copyOf(peers);
      // By name: all of them are asked in the same order in every process.
      nodes = Collections.unmodifiableMap(new TreeMap<>(nodes));
    }

    /** All nodes that may have the object in its order, as nodes. */
    public List<ClusterNode> preferred(Address address) {
      return nodes(view.order(address));
    }

    public List<ClusterNode> nodes(List<String> names) {
      return names.stream().map(nodes::get).toList();
    }

    public List<ClusterNode> here() {
      return nodes.values().stream().filter(ClusterNode::here).toList();
    }

    /** The other nodes that answer. */
    public List<ClusterNode> others() {
      return peers.stream().filter(PeerNode::here).map(ClusterNode.class::cast).toList();
    }

    /**
     * The other nodes that are not among those that were asked. Which these are is not looked up
     * again: one that has come back meanwhile was not asked, and may have what is looked for.
     */
    public List<String> unasked(List<ClusterNode> asked) {
      return peers.stream().filter(peer -> !asked.contains(peer)).map(PeerNode::name).toList();
    }
  }

  public Roster now() {
    return roster.value();
  }

  /** Rings when other nodes belong. */
  Inbox changes() {
    return roster.after(roster.latest());
  }

  public LocalNode local() {
    return local;
  }

  /** Of all nodes, this one too. */
  public Set<String> names() {
    return now().nodes().keySet();
  }

  public List<PeerNode> peers() {
    return now().peers();
  }

  public ClusterMap view() {
    return now().view();
  }

  /** What says which nodes belong, and whether it can be asked. */
  public String registry() {
    return registry;
  }

  void registry(String words) {
    registry = words;
  }

  /** Why the other nodes are not known; empty once the registry or the list has told them. */
  public Optional<String> unknown() {
    return known ? Optional.empty() : Optional.of("the other nodes are not known yet: " + registry);
  }

  /** Without the nodes that have been away for too long. */
  public ClusterMap plannedView() {
    Roster now = now();
    var gone = new HashSet<String>();
    for (PeerNode peer : now.peers()) {
      if (peer.presence(grace) == Presence.GONE) {
        gone.add(peer.name());
      }
    }
    return now.view().without(gone);
  }

  /**
   * Whether every other node, but for those that have been away for too long, would ask this one
   * for an object. While lists change, a copy that only such a node has is one that some cannot
   * find.
   */
  public boolean knownToAll(ClusterNode node) {
    return peers().stream()
        .allMatch(peer -> peer.knows(node.name()) || peer.presence(grace) == Presence.GONE);
  }

  /** Empty if it left since the caller heard of it. */
  public Optional<ClusterNode> find(String name) {
    return Optional.ofNullable(now().nodes().get(name));
  }

  /** All nodes, those that should have the object first, and those that do not answer last. */
  public List<ClusterNode> order(Address address) {
    Roster now = now();
    var order = new LinkedHashSet<ClusterNode>();
    if (local.stat(address).isPresent()) {
      order.add(local);
    }
    now.preferred(address).stream().filter(ClusterNode::here).forEach(order::add);
    order.addAll(now.here());
    order.addAll(now.nodes().values());
    return List.copyOf(order);
  }

  /** For each shard of an object the nodes to ask, the likeliest first. */
  public List<List<ClusterNode>> places(Address address, int shards) {
    Roster now = now();
    var places = new ArrayList<List<ClusterNode>>();
    for (ClusterNode home : now.nodes(now.view().shards(address, shards))) {
      var order = new LinkedHashSet<ClusterNode>();
      if (home.here()) {
        order.add(home);
      }
      order.addAll(now.here());
      order.add(home);
      places.add(List.copyOf(order));
    }
    return places;
  }

  /** The least that the readers of any other node leave of a repair rate. */
  public double paceShare() {
    double least = 1;
    for (PeerNode peer : now().peers()) {
      least = Math.min(least, peer.paceShare());
    }
    return least;
  }

  /**
   * The registry was read.
   *
   * @return whether objects may belong elsewhere now
   */
  boolean heard(Map<String, Membership.Seat> listed) {
    boolean changed = become(now -> now.heard(listed, local.name(), time.now(), grace));
    known = true;
    return changed;
  }

  /** The operator says which nodes belong, from now on. */
  public boolean told(Membership membership) {
    return become(_ -> membership);
  }

  private interface Change {
    Membership of(Membership now);
  }

  private boolean become(Change change) {
    lock.lock();
    try {
      Roster before = now();
      Membership next = change.of(before.membership());
      if (next.sameAs(before.membership())) {
        // The same nodes; since when one is missed may be new.
        roster.set(new Roster(next, before.view(), before.peers(), before.nodes()));
        return false;
      }
      var known = new TreeMap<String, PeerNode>();
      before.peers().forEach(peer -> known.put(peer.name(), peer));
      roster.set(roster(next, known));
      return true;
    } finally {
      lock.unlock();
    }
  }

  private Roster roster(Membership membership, Map<String, PeerNode> known) {
    var peers = new ArrayList<PeerNode>();
    var nodes = new TreeMap<String, ClusterNode>();
    nodes.put(local.name(), local);
    membership
        .seats()
        .forEach(
            (name, seat) -> {
              if (!name.equals(local.name())) {
                PeerNode before = known.get(name);
                PeerNode peer =
                    before != null && before.url().equals(PeerClient.base(seat.url()))
                        ? before
                        : road.to(name, seat.url());
                peers.add(peer);
                nodes.put(name, peer);
              }
            });
    return new Roster(membership, membership.view(residency, replication), peers, nodes);
  }
}
