package dev.ron.storage.task;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.kernel.Scope;
import dev.ron.storage.ClusterConfig;
import dev.ron.storage.StorageFault;
import dev.ron.storage.core.CodedObject;
import dev.ron.storage.core.Presence;
import dev.ron.storage.core.View;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All objects of all nodes, as one.
 *
 * <p>Threading: thread-safe.
 */
public final class Cluster implements Stock {
  private static final int DELETE_PASSES_MAX = 4;

  private final ClusterConfig config;
  private final View view;
  private final int quorum;
  private final LocalNode local;
  private final List<PeerNode> peers;
  private final Map<String, ClusterNode> nodes = new TreeMap<>();
  private final HedgedRead hedged;
  private final TakeBacks takeBacks;
  private final Fanout fanout;
  private final Coder coder;
  private final Scope scope;

  public Cluster(
      Scope scope,
      ClusterConfig config,
      View view,
      int quorum,
      LocalNode local,
      List<PeerNode> peers,
      HedgedRead hedged,
      TakeBacks takeBacks) {
    this.scope = scope;
    this.config = config;
    this.view = view;
    this.quorum = quorum;
    this.local = local;
    this.peers = List.copyOf(peers);
    this.hedged = hedged;
    this.takeBacks = takeBacks;
    this.fanout = new Fanout(scope.world().threads());
    nodes.put(local.name(), local);
    peers.forEach(peer -> nodes.put(peer.name(), peer));
    this.coder = new Coder(config.coding(), fanout, scope, takeBacks);
  }

  public LocalNode local() {
    return local;
  }

  public List<PeerNode> peers() {
    return peers;
  }

  public ClusterConfig config() {
    return config;
  }

  /** The least that the readers of any other node leave of a repair rate. */
  double paceShare() {
    return peers.stream().filter(PeerNode::here).mapToDouble(PeerNode::paceShare).min().orElse(1);
  }

  /** Without the nodes that have been away for too long. */
  View plannedView() {
    var gone = new HashSet<String>();
    for (PeerNode peer : peers) {
      if (peer.presence(config.grace()) == Presence.GONE) {
        gone.add(peer.name());
      }
    }
    return view.without(gone);
  }

  public View view() {
    return view;
  }

  ClusterNode node(String name) {
    ClusterNode found = nodes.get(name);
    if (found == null) {
      throw new IllegalArgumentException("no node " + name);
    }
    return found;
  }

  /** All nodes, those that should have the object first, and those that do not answer last. */
  List<ClusterNode> order(Address address) {
    var order = new LinkedHashSet<ClusterNode>();
    if (local.stat(address).isPresent()) {
      order.add(local);
    }
    List<String> preferred = view.order(address);
    preferred.stream().map(this::node).filter(ClusterNode::here).forEach(order::add);
    nodes.values().stream().filter(ClusterNode::here).forEach(order::add);
    order.addAll(nodes.values());
    return List.copyOf(order);
  }

  @Override
  public Optional<ContentStat> stat(Address address) throws InterruptedException {
    return known(address).map(ClusterNode.Known::stat);
  }

  private Optional<ClusterNode.Known> known(Address address) throws InterruptedException {
    Optional<ClusterNode.Known> here = local.stat(address);
    if (here.isPresent()) {
      return here;
    }
    for (Fanout.Answer<ClusterNode, Optional<ClusterNode.Known>> answer :
        fanout.ask(others(), node -> node.stat(address))) {
      Optional<ClusterNode.Known> value = answer.value();
      if (value != null && value.isPresent()) {
        return value;
      }
    }
    return Optional.empty();
  }

  private List<ClusterNode> others() {
    return peers.stream().filter(PeerNode::here).map(ClusterNode.class::cast).toList();
  }

  @Override
  public StorageFault missing(Address address) {
    List<String> away = peers.stream().filter(peer -> !peer.here()).map(PeerNode::name).toList();
    StorageFault alone = local.shelves(ClusterNode.Kind.OBJECT).missing(address);
    return away.isEmpty() || !(alone instanceof StorageFault.NotFound)
        ? alone
        : new StorageFault.Unavailable(
            "%s is on no node that answers; %s may have it".formatted(address, away));
  }

  @Override
  public Reading open(ContentStat stat, long offset, long end) {
    return new FoundReading(this, stat, offset, end);
  }

  /** The whole copies first; without any, the shards. */
  Reading found(ContentStat stat, long offset, long end) throws InterruptedException {
    Optional<ClusterNode.Known> known = known(stat.address());
    if (known.isPresent() && known.get().coded()) {
      Optional<CodedObject> object = coded(stat.address());
      if (object.isPresent()) {
        return new CodedReading(shardFetch(object.get()), offset, end);
      }
    }
    return new ClusterReading(stat, order(stat.address()), hedged, offset, end);
  }

  Optional<CodedObject> coded(Address address) throws InterruptedException {
    for (ClusterNode node : order(address)) {
      try {
        Optional<CodedObject> found = node.coded(address);
        if (found.isPresent()) {
          return found;
        }
      } catch (IOException _) {
        // the next one may answer
      }
    }
    return Optional.empty();
  }

  ShardFetch shardFetch(CodedObject object) {
    List<String> homes = view.shards(object.address(), object.layout().shards());
    var places = new ArrayList<List<ClusterNode>>();
    for (String home : homes) {
      var order = new LinkedHashSet<ClusterNode>();
      if (node(home).here()) {
        order.add(node(home));
      }
      nodes.values().stream().filter(ClusterNode::here).forEach(order::add);
      order.add(node(home));
      places.add(List.copyOf(order));
    }
    return new ShardFetch(object, places, scope, config.hedgeAfter());
  }

  /** Whole copies from other nodes only, for repair. */
  Reading elsewhere(ContentStat stat) {
    return new ClusterReading(
        stat,
        order(stat.address()).stream().filter(node -> !node.equals(local)).toList(),
        hedged,
        0,
        Long.MAX_VALUE);
  }

  @Override
  public Written put(Address address, Source source) throws IOException, InterruptedException {
    String write = "%s-%016x".formatted(local.name(), scope.random().nextLong());
    List<ClusterNode> takers =
        nodes.values().stream().filter(node -> node.here() && node.takesWrites()).toList();
    if (config.coding().applies(source.sizeBytes())) {
      View now = view.without(namesBut(takers));
      List<String> homes = now.shards(address, config.coding().shards());
      if (Coder.spread(homes) <= config.coding().parity() && !homes.isEmpty()) {
        return coder.put(address, source, write, homes.stream().map(this::node).toList());
      }
      // Too few nodes are there for shards to survive one more; whole copies do.
    }
    List<ClusterNode> candidates =
        view.order(address).stream().map(this::node).filter(takers::contains).toList();
    boolean forAll = source.sizeBytes() > ClusterReading.WINDOW_BYTES;
    return new QuorumWrite(
            address,
            source,
            write,
            view.replication(),
            quorum,
            candidates,
            scope.world().threads(),
            scope.time(),
            takeBacks)
        .run(forAll);
  }

  private Set<String> namesBut(List<ClusterNode> kept) {
    var names = new HashSet<>(nodes.keySet());
    kept.forEach(node -> names.remove(node.name()));
    return names;
  }

  /** The stream is stored here first, whosever it is; repair gives up what belongs elsewhere. */
  @Override
  public Written putOnce(@Nullable Address expected, InputStream in)
      throws IOException, InterruptedException {
    Shelves own = local.shelves(ClusterNode.Kind.OBJECT);
    Written first = own.putOnce(expected, in);
    if (!(first instanceof Written.Stored(Address address, long size, boolean fresh))) {
      return first;
    }
    Written all =
        put(address, Source.of(size, () -> new TransferStream(new Transfer(own, address))));
    if (!(all instanceof Written.Stored) && fresh) {
      local.giveUp(ClusterNode.Kind.OBJECT, address);
    }
    return all instanceof Written.Stored ? new Written.Stored(address, size, fresh) : all;
  }

  @Override
  public Optional<StorageFault> delete(Address address) throws InterruptedException {
    List<String> away = new ArrayList<>();
    // Asked now, not a second ago: a delete that reaches some nodes only is undone by the others.
    for (Fanout.Answer<PeerNode, Boolean> answer : fanout.ask(peers, PeerNode::answers)) {
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
    for (int pass = 0; pass < DELETE_PASSES_MAX; pass++) {
      List<Fanout.Answer<ClusterNode, Boolean>> answers =
          fanout.ask(List.copyOf(nodes.values()), node -> node.delete(address));
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

  @Override
  public List<ContentStat> list(@Nullable Address after, int max) throws InterruptedException {
    var found = new TreeMap<String, ContentStat>();
    List<ClusterNode> all = new ArrayList<>(others());
    all.add(local);
    for (Fanout.Answer<ClusterNode, List<ContentStat>> answer :
        fanout.ask(all, node -> node.list(after, max))) {
      List<ContentStat> value = answer.value();
      if (value != null) {
        value.forEach(stat -> found.put(stat.address().toString(), stat));
      }
    }
    return found.values().stream().limit(max).toList();
  }
}
