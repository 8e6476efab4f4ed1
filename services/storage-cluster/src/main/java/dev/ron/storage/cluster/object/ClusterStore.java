package dev.ron.storage.cluster.object;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.kernel.Scope;
import dev.ron.storage.StorageFault;
import dev.ron.storage.cluster.StorageClusterConfig;
import dev.ron.storage.cluster.coded.CodedReader;
import dev.ron.storage.cluster.coded.CodedWrite;
import dev.ron.storage.cluster.coded.ShardFetch;
import dev.ron.storage.cluster.core.ClusterMap;
import dev.ron.storage.cluster.core.CodedObject;
import dev.ron.storage.cluster.member.Members;
import dev.ron.storage.cluster.node.ClusterNode;
import dev.ron.storage.cluster.node.Fanout;
import dev.ron.storage.cluster.node.LocalNode;
import dev.ron.storage.cluster.node.WriteRollback;
import dev.ron.storage.cluster.reference.SharedBytes;
import dev.ron.storage.object.FallbackReader;
import dev.ron.storage.object.ObjectReader;
import dev.ron.storage.object.ObjectReaderStream;
import dev.ron.storage.object.Volumes;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All objects of all nodes, as one.
 *
 * <p>Threading: thread-safe.
 */
public final class ClusterStore implements SharedBytes {
  private static final Duration REPAIR_PATIENCE = Duration.ofSeconds(2);

  private final StorageClusterConfig config;
  private final int quorum;
  private final LocalNode local;
  private final Members members;
  private final HedgedRead hedged;
  private final WriteRollback takeBacks;
  private final Fanout fanout;
  private final CodedWrite coder;
  private final Scope scope;

  public ClusterStore(
      Scope scope,
      StorageClusterConfig config,
      int quorum,
      Members members,
      HedgedRead hedged,
      WriteRollback takeBacks) {
    this.scope = scope;
    this.config = config;
    this.quorum = quorum;
    this.local = members.local();
    this.members = members;
    this.hedged = hedged;
    this.takeBacks = takeBacks;
    this.fanout = new Fanout(scope.world().threads(), scope.time(), Fanout.LIMIT);
    this.coder = new CodedWrite(config.coding(), fanout, scope, takeBacks);
  }

  public LocalNode local() {
    return local;
  }

  public Members members() {
    return members;
  }

  public StorageClusterConfig config() {
    return config;
  }

  @Override
  public Optional<ContentStat> stat(Address address) throws InterruptedException {
    return known(address).map(ClusterNode.Known::stat);
  }

  /** Asked for twice: one that moves may be not yet where it goes and no more where it was. */
  private Optional<ClusterNode.Known> known(Address address) throws InterruptedException {
    Search first = search(address);
    return first.found().isPresent() ? first.found() : search(address).found();
  }

  /**
   * What the nodes said when they were asked for an object.
   *
   * @param silent nodes that were not asked, or did not answer, and so may have it
   * @param unknown why there may be other nodes, as it was before any was asked
   */
  private record Search(
      Optional<ClusterNode.Known> found, List<String> silent, Optional<String> unknown) {}

  private Search search(Address address) throws InterruptedException {
    Optional<ClusterNode.Known> here = local.stat(address);
    return here.isPresent() ? new Search(here, List.of(), members.unknown()) : everywhere(address);
  }

  /** Asks the others also where it is here. */
  private Search everywhere(Address address) throws InterruptedException {
    Optional<ClusterNode.Known> found = local.stat(address);
    Optional<String> unknown = members.unknown();
    Members.Roster now = members.now();
    List<ClusterNode> asked = now.others();
    var silent = new ArrayList<>(now.unasked(asked));
    for (Fanout.Answer<ClusterNode, Optional<ClusterNode.Known>> answer :
        fanout.ask(asked, node -> node.stat(address))) {
      Optional<ClusterNode.Known> value = answer.value();
      if (value == null) {
        silent.add(answer.node().name());
      } else if (found.isEmpty()) {
        found = value;
      }
    }
    return new Search(found, silent, unknown);
  }

  /** How many of these shards are anywhere; a node that fails counts as one that lost them. */
  public int there(List<Address> shards) throws InterruptedException {
    var found = new HashSet<>(local.have(ClusterNode.Kind.SHARD, shards));
    for (Fanout.Answer<ClusterNode, Set<Address>> answer :
        fanout.ask(members.now().others(), node -> node.have(ClusterNode.Kind.SHARD, shards))) {
      Set<Address> there = answer.value();
      if (there != null) {
        found.addAll(there);
      }
    }
    return (int) shards.stream().filter(found::contains).count();
  }

  /** The other nodes that say they have it. */
  public List<ClusterNode> holders(ClusterNode.Kind kind, Address address)
      throws InterruptedException {
    var holders = new ArrayList<ClusterNode>();
    for (Fanout.Answer<ClusterNode, Set<Address>> answer :
        fanout.ask(members.now().others(), node -> node.have(kind, List.of(address)))) {
      Set<Address> found = answer.value();
      if (found != null && found.contains(address)) {
        holders.add(answer.node());
      }
    }
    return holders;
  }

  /** Not found only if every node said so: one that is silent, or known to be away, may have it. */
  @Override
  public StorageFault missing(Address address) throws InterruptedException {
    Search last = search(address);
    return last.found().isPresent() && last.unknown().isEmpty()
        ? new StorageFault.Unavailable("%s was just written or moved".formatted(address))
        : missing(address, last);
  }

  private StorageFault missing(Address address, Search last) {
    if (last.unknown().isPresent()) {
      return new StorageFault.Unavailable(last.unknown().get());
    }
    StorageFault alone = local.volumes(ClusterNode.Kind.OBJECT).missing(address);
    if (!(alone instanceof StorageFault.NotFound)) {
      return alone;
    }
    return last.silent().isEmpty()
        ? alone
        : new StorageFault.Unavailable(
            "%s is on no node that answers; %s may have it"
                .formatted(address, new TreeSet<>(last.silent())));
  }

  @Override
  public ObjectReader open(ContentStat stat, long offset, long end) {
    return new LazyClusterReader(this, stat, offset, end);
  }

  /** The whole copies first; without any, the shards. */
  ObjectReader found(ContentStat stat, long offset, long end) throws InterruptedException {
    Optional<ClusterNode.Known> known = known(stat.address());
    if (known.isPresent() && known.get().coded()) {
      Optional<ObjectReader> shards = shards(stat, offset, end);
      if (shards.isPresent()) {
        return shards.get();
      }
    }
    return copies(stat, offset, end);
  }

  /** The other way to read what one way has lost; empty if there is none. */
  Optional<ObjectReader> instead(ObjectReader lost, ContentStat stat, long offset, long end)
      throws InterruptedException {
    return lost instanceof CodedReader
        ? Optional.of(copies(stat, offset, end))
        : shards(stat, offset, end);
  }

  private Optional<ObjectReader> shards(ContentStat stat, long offset, long end)
      throws InterruptedException {
    return coded(stat.address()).map(object -> new CodedReader(shardFetch(object), offset, end));
  }

  private ObjectReader copies(ContentStat stat, long offset, long end) {
    return new ClusterReader(
        ClusterNode.Kind.OBJECT,
        stat,
        members.order(stat.address()),
        hedged,
        offset,
        end,
        ClusterNode.Purpose.READER,
        ClusterReader.windowBytes(stat.sizeBytes(), ClusterReader.WINDOW_BYTES));
  }

  public Optional<CodedObject> coded(Address address) throws InterruptedException {
    for (ClusterNode node : members.order(address)) {
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

  /** For a reader: it asks all nodes rather than wait. */
  ShardFetch shardFetch(CodedObject object) {
    return new ShardFetch(
        object, places(object), scope, config.hedgeAfter(), ClusterNode.Purpose.READER);
  }

  /** For repair of a shard that no node has. */
  public ShardFetch shardFetchWithout(CodedObject object, int shard) {
    List<List<ClusterNode>> places = new ArrayList<>(places(object));
    places.set(shard, List.of());
    return new ShardFetch(object, places, scope, REPAIR_PATIENCE, ClusterNode.Purpose.REPAIR);
  }

  private List<List<ClusterNode>> places(CodedObject object) {
    return members.places(object.address(), object.layout().shards());
  }

  /** The other nodes, those that should have the object first. */
  public List<ClusterNode> elsewhere(Address address) {
    return members.order(address).stream().filter(node -> !node.equals(local)).toList();
  }

  /** For repair. */
  public ObjectReader open(
      ClusterNode.Kind kind, ContentStat stat, List<ClusterNode> from, int windowBytes) {
    return new ClusterReader(
        kind, stat, from, hedged, 0, Long.MAX_VALUE, ClusterNode.Purpose.REPAIR, windowBytes);
  }

  @Override
  public Written put(Address address, Source source) throws IOException, InterruptedException {
    return put(address, source, false);
  }

  /** Shards that are there are found to be; there is no more than that to tell by the time. */
  @Override
  public Written putAnew(Address address, Source source) throws IOException, InterruptedException {
    return put(address, source, true);
  }

  private Written put(Address address, Source source, boolean anew)
      throws IOException, InterruptedException {
    String write = "%s-%016x".formatted(local.name(), scope.secrets().nextLong());
    Members.Roster now = members.now();
    List<ClusterNode> takers = takers(now);
    if (config.coding().applies(source.sizeBytes())) {
      ClusterMap taking = now.view().without(namesBut(now, takers));
      List<String> homes = taking.shards(address, config.coding().shards());
      if (CodedWrite.spread(homes) <= config.coding().ecParity() && !homes.isEmpty()) {
        return coder.put(address, source, write, now.nodes(homes));
      }
      // Too few nodes are there for shards to survive one more; whole copies do.
    }
    List<ClusterNode> candidates =
        now.preferred(address).stream().filter(takers::contains).toList();
    boolean forAll = source.sizeBytes() > ClusterReader.WINDOW_BYTES;
    return new QuorumWrite(
            address,
            source,
            anew ? ClusterNode.Origin.anew(write) : ClusterNode.Origin.whole(write),
            now.view().replication(),
            quorum,
            candidates,
            scope.world().threads(),
            scope.time(),
            takeBacks)
        .run(forAll);
  }

  /** One that only just joined takes none while others can do without it: not all ask it yet. */
  private List<ClusterNode> takers(Members.Roster now) {
    List<ClusterNode> all = now.here().stream().filter(ClusterNode::takesWrites).toList();
    List<ClusterNode> known = all.stream().filter(members::knownToAll).toList();
    return known.size() < now.view().replication() ? all : known;
  }

  private static Set<String> namesBut(Members.Roster now, List<ClusterNode> kept) {
    var names = new HashSet<>(now.nodes().keySet());
    kept.forEach(node -> names.remove(node.name()));
    return names;
  }

  /** The stream is stored here first, whosever it is; repair gives up what belongs elsewhere. */
  @Override
  public Written putOnce(@Nullable Address expected, InputStream in)
      throws IOException, InterruptedException {
    Volumes own = local.volumes(ClusterNode.Kind.OBJECT);
    Written first = own.putOnce(expected, in);
    if (!(first instanceof Written.Stored(Address address, long size, boolean fresh))) {
      return first;
    }
    Written all =
        put(
            address,
            Source.of(size, () -> new ObjectReaderStream(new FallbackReader(own, address))));
    if (!(all instanceof Written.Stored) && fresh) {
      local.giveUp(ClusterNode.Kind.OBJECT, address);
    }
    return all instanceof Written.Stored ? new Written.Stored(address, size, fresh) : all;
  }

  @Override
  public Optional<StorageFault> delete(Address address) throws InterruptedException {
    return new ClusterDelete(members, fanout).run(address, null);
  }

  @Override
  public Optional<StorageFault> delete(Address address, String seal) throws InterruptedException {
    return new ClusterDelete(members, fanout).run(address, seal);
  }

  /** A write is answered when so many have it that one of them is heard, if fewer are silent. */
  @Override
  public Optional<Boolean> isThere(Address address) throws InterruptedException {
    Search search = everywhere(address);
    return search.found().isPresent() || search.silent().size() < quorum
        ? Optional.of(search.found().isPresent())
        : Optional.empty();
  }

  @Override
  public StorageFault absent(Address address) throws InterruptedException {
    return missing(address, everywhere(address));
  }

  @Override
  public void seek(Address address) throws InterruptedException {
    everywhere(address);
    everywhere(address);
  }

  @Override
  public List<ContentStat> list(@Nullable Address after, int max) throws InterruptedException {
    var found = new TreeMap<String, ContentStat>();
    List<ClusterNode> all = new ArrayList<>(members.now().others());
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
