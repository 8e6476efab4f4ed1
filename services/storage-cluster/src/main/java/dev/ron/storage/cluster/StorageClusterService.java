package dev.ron.storage.cluster;

import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Owner;
import dev.ron.config.value.HostPort;
import dev.ron.content.ContentMetrics;
import dev.ron.http.client.HttpClient;
import dev.ron.http.server.Access;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.Limits;
import dev.ron.http.server.route.Routes;
import dev.ron.http.tls.PeerTls;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.metric.ByteSeconds;
import dev.ron.kernel.retry.Retry;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.StorageConfig;
import dev.ron.storage.StorageDoors;
import dev.ron.storage.StorageEvent;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.StorageService;
import dev.ron.storage.api.StorageContext;
import dev.ron.storage.api.StorageRoutes;
import dev.ron.storage.cluster.api.PeerDoor;
import dev.ron.storage.cluster.api.PeerRoutes;
import dev.ron.storage.cluster.core.NodeRepairPlan;
import dev.ron.storage.cluster.member.EtcdClient;
import dev.ron.storage.cluster.member.EtcdMembership;
import dev.ron.storage.cluster.member.Heartbeats;
import dev.ron.storage.cluster.member.MemberReferences;
import dev.ron.storage.cluster.member.Members;
import dev.ron.storage.cluster.node.LocalNode;
import dev.ron.storage.cluster.node.PeerClient;
import dev.ron.storage.cluster.node.PeerMessages;
import dev.ron.storage.cluster.node.PeerNode;
import dev.ron.storage.cluster.node.PeerThreads;
import dev.ron.storage.cluster.node.PeerWire;
import dev.ron.storage.cluster.node.WriteRollback;
import dev.ron.storage.cluster.object.ClusterStore;
import dev.ron.storage.cluster.object.HedgedRead;
import dev.ron.storage.cluster.reference.ClusterCollector;
import dev.ron.storage.cluster.reference.ClusterReferences;
import dev.ron.storage.cluster.reference.LocalReferences;
import dev.ron.storage.cluster.repair.ClusterPlanner;
import dev.ron.storage.cluster.repair.ClusterRepair;
import dev.ron.storage.core.RepairPlan;
import dev.ron.storage.object.ByteSecondsTask;
import dev.ron.storage.object.DamageTracker;
import dev.ron.storage.object.DataDirectories;
import dev.ron.storage.object.DiskWatch;
import dev.ron.storage.object.PermitQueue;
import dev.ron.storage.object.Permits;
import dev.ron.storage.object.PlacementTask;
import dev.ron.storage.object.Volume;
import dev.ron.storage.object.Volumes;
import dev.ron.storage.reference.ObjectViews;
import dev.ron.storage.reference.StoredBytes;
import dev.ron.storage.repair.RepairQueue;
import dev.ron.storage.repair.RepairTasks;
import dev.ron.storage.repair.RepairThrottle;
import dev.ron.storage.repair.Scrubber;
import dev.ron.storage.upload.UploadSweep;
import dev.ron.storage.upload.Uploads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The wiring of a storage on several machines, as one of them has it: its own directories, the
 * other nodes, the way to them, and what keeps them alike.
 *
 * <p>Each node has one copy of an object, on one of its disks.
 *
 * <p>Threading: thread-safe; what the tasks found last is in references that they alone set.
 */
public final class StorageClusterService {
  /** A read that waits for another node keeps its place and works on nothing. */
  private static final int GETS_PER_CORE = 4 * StorageService.GETS_PER_CORE;

  private static final int PEERS_PER_CORE = 8;
  private static final int WAITING_MAX = 512;

  private final StorageClusterConfig config;
  private final Scope scope;
  private final PeerThreads threads;
  private final StorageMetrics metrics;
  private final Broadcast<StorageEvent> events;
  private final List<DataDirectories.Opened> objectStores;
  private final List<DataDirectories.Opened> shardStores;
  private final Volumes shards;
  private final RepairTasks<NodeRepairPlan> upkeep;
  private final List<DataDirectories.Opened> referenceStores;

  /** Where references are stored; null for objects that have none. */
  private final @Nullable Volumes references;

  private final @Nullable ClusterReferences referenced;
  private final ByteSeconds charged;

  /** The ways to the other nodes. */
  private final PeerWire.Wires wires;

  /** Speaks to etcd, which has no part in the nodes' certificates. */
  private final Optional<HttpClient> registry;

  private final LocalNode local;
  private final Members members;
  private final WriteRollback takeBacks;
  private final ClusterStore cluster;

  /** For what other nodes ask of this one. */
  private final Permits places;

  private final Uploads uploads;
  private final AtomicReference<ClusterPlanner.Round> round =
      new AtomicReference<>(ClusterPlanner.Round.NONE);

  /**
   * The tree, and the door its address is asked of once it is open.
   *
   * @param reload takes the live keys of a configuration that was read anew
   */
  public record Wired(
      Supervisor supervisor, HttpServer door, Consumer<StorageClusterConfig> reload) {}

  /**
   * @param hosts names besides this machine's own that the door answers to
   * @param verifier null lets every request in; for tests, and behind a door that checks
   * @param peerToken gives a capability with the operation {@code peer} that is good for the next
   *     minutes; asked for each request to another node, unless {@code cluster.cap} is set
   * @throws IOException if no data directory can be opened; the message says why
   */
  public static Wired wire(
      StorageClusterConfig config,
      Scope scope,
      Limits limits,
      List<String> hosts,
      @Nullable Verifier verifier,
      Supplier<String> peerToken)
      throws IOException {
    var all = new StorageClusterService(config, scope, HttpWires.of(config, peerToken), true);
    Supervisor tree = all.tree("storage");
    StorageContext context =
        all.context(verifier == null ? Owner.OPERATOR : new Owner(Owner.DEFAULT));
    var guard = PeerRoutes.guard(scope, verifier, config);
    var doors = new StorageDoors(config.storage(), scope, limits, guard, all.metrics);
    var peers = all.peers(context);
    boolean apart = config.tls().byCertificate();
    if (apart) {
      tree = tree.door("nodes", all.certified(doors, peers.addTo(Routes.of())));
    }
    Routes clients = apart ? StorageRoutes.of(context) : peers.addTo(StorageRoutes.of(context));
    HttpServer door = doors.http(clients, Access.of(hosts, scope, verifier));
    return new Wired(tree.door("http", door), door, all::reload);
  }

  /**
   * Objects of another door on several nodes: the tree that keeps them, and where they are.
   *
   * @param reload as for {@link Wired}
   */
  public record Kept(
      Supervisor supervisor, ClusterStore store, Consumer<StorageClusterConfig> reload) {}

  /**
   * Keeps objects for a door that is not the storage's: no client is answered here, only nodes.
   *
   * @param name of the tree
   * @param peerToken as for {@link #wire}
   * @throws IOException if no data directory can be opened; the message says why
   */
  public static Kept keep(
      String name,
      StorageClusterConfig config,
      Scope scope,
      Limits limits,
      @Nullable Verifier verifier,
      Supplier<String> peerToken)
      throws IOException {
    var all = new StorageClusterService(config, scope, HttpWires.of(config, peerToken), false);
    StorageContext context = all.context(Owner.OPERATOR);
    var guard = PeerRoutes.guard(scope, verifier, config);
    var doors = new StorageDoors(config.storage(), scope, limits, guard, all.metrics);
    Routes routes = all.peers(context).addTo(Routes.of());
    HttpServer door =
        config.tls().byCertificate() ? all.certified(doors, routes) : doors.nodes(routes);
    return new Kept(all.tree(name).door("nodes", door), all.cluster, all::reload);
  }

  /** Objects of tenants on several nodes, without doors; {@code peers} answers other nodes. */
  public record KeptObjects(
      Supervisor supervisor, ObjectViews views, ClusterStore store, PeerDoor peers) {}

  /**
   * Keeps objects of tenants, where nodes meet over other wires than HTTP and no client is
   * answered.
   *
   * @param name of the tree
   * @throws IOException if no data directory can be opened; the message says why
   */
  public static KeptObjects keepObjects(
      String name, StorageClusterConfig config, Scope scope, PeerWire.Maker wires)
      throws IOException {
    var all = new StorageClusterService(config, scope, wires, true);
    StorageContext context = all.context(Owner.OPERATOR);
    return new KeptObjects(
        all.tree(name), context.views(), all.cluster, new PeerDoor(all.peers(context)));
  }

  private PeerRoutes peers(StorageContext context) {
    return new PeerRoutes(context, local, members::names, places);
  }

  private StorageContext context(Owner anonymous) {
    int cores = Runtime.getRuntime().availableProcessors();
    return StorageContext.of(
        scope,
        config.storage(),
        referenced == null
            ? ObjectViews.operatorOnly(cluster, config.storage().publicRead())
            : referenced,
        anonymous,
        uploads,
        upkeep,
        GETS_PER_CORE * cores,
        StorageService.PUTS_PER_CORE * cores,
        this::view);
  }

  private HttpServer certified(StorageDoors doors, Routes routes) throws IOException {
    HostPort at = config.peerDoor();
    PeerTls shown = config.tls().certificates().orElseThrow();
    return doors.certified(at.host(), at.port(), shown, routes);
  }

  private StorageClusterService(
      StorageClusterConfig config, Scope outer, PeerWire.Maker maker, boolean tenants)
      throws IOException {
    StorageConfig.Durability durability = config.storage().durability();
    this.config = config;
    this.threads = PeerThreads.in(outer);
    this.scope = threads.scope();
    this.metrics = StorageMetrics.in(scope);
    var clusterMetrics = StorageClusterMetrics.in(scope);
    this.events = Broadcast.of(scope, "events", config.storage().events());
    DataDirectories directories =
        DataDirectories.open(scope, config.storage(), ContentMetrics.in(scope));
    if (!tenants) {
      requireNoReferences(directories);
    }
    this.referenceStores = tenants ? directories.openReferences(2) : List.of();
    this.objectStores = directories.opened();
    this.shardStores = directories.openBeside("shards", config.coding().used());
    var own = new Volumes(directories.volumes(), 1, 1, new DamageTracker(events, metrics));
    this.shards = shards(shardStores, new DamageTracker(events, metrics));
    Watch<Boolean> shutdown = Watch.of(scope, "shutdown", false);
    long rate = durability.repairRate().bytesPerSecond();
    var pace = new RepairThrottle(scope.time(), rate, shutdown, metrics);
    var queue = new RepairQueue<NodeRepairPlan>(scope, durability.repairQueue());
    this.upkeep = new RepairTasks<>(own, pace, queue, shutdown, scope.time(), metrics);
    this.wires = maker.in(scope);
    this.registry =
        config.etcd().used()
            ? Optional.of(new HttpClient(scope, HttpWires.ANYWHERE))
            : Optional.empty();
    this.references = tenants ? references(config.storage()) : null;
    this.charged = new ByteSeconds(scope.meter());
    var stored = new StoredBytes(scope, charged);
    LocalReferences recorded =
        references == null
            ? null
            : LocalReferences.open(config.node(), references, own, stored, scope);
    this.local =
        new LocalNode(config.node(), shards, upkeep, clusterMetrics, recorded, scope.time());
    local.learnAll();
    this.members =
        new Members(
            local, config, durability.replication(), road(scope, config, wires, metrics), scope);
    if (members.unknown().isPresent()) {
      scope.readiness().derived("membership", members::unknown);
    }
    pace.others(members::paceShare);
    HedgedRead hedged = hedged(scope, config, clusterMetrics);
    this.takeBacks = new WriteRollback(scope);
    this.cluster = new ClusterStore(scope, config, durability.quorum(), members, hedged, takeBacks);
    this.referenced =
        recorded == null ? null : referenced(scope, config, cluster, members, recorded, stored);
    var work = new PermitQueue(scope, "peer-work", WAITING_MAX);
    this.places = new Permits(scope, "peer", places(config.poolsPeer()), own::overdue, work);
    this.uploads = new Uploads(scope, config.storage(), objectStores, own, metrics);
  }

  private static Volumes shards(List<DataDirectories.Opened> stores, DamageTracker damage) {
    return new Volumes(stores.stream().map(DataDirectories.Opened::volume).toList(), 1, 1, damage);
  }

  private static HedgedRead hedged(
      Scope scope, StorageClusterConfig config, StorageClusterMetrics metrics) {
    return new HedgedRead(
        scope.time(), scope.world().threads(), config.hedgeAfter(), config.hedgeBudget(), metrics);
  }

  private static ClusterReferences referenced(
      Scope scope,
      StorageClusterConfig config,
      ClusterStore cluster,
      Members members,
      LocalReferences recorded,
      StoredBytes stored) {
    return new ClusterReferences(
        scope,
        cluster,
        recorded,
        new MemberReferences(members, config.grace()),
        stored,
        config.storage().publicRead());
  }

  /** Each directory has every record: they are small, and worth as much as all its objects. */
  private Volumes references(StorageConfig storage) {
    List<Volume> volumes =
        storage.amnesia()
            ? List.of(DataDirectories.memory(storage))
            : referenceStores.stream().map(DataDirectories.Opened::volume).toList();
    int majority = volumes.size() / 2 + 1;
    return new Volumes(volumes, volumes.size(), majority, new DamageTracker(events, metrics));
  }

  /** Objects of tenants would be open to all that know an address. */
  private static void requireNoReferences(DataDirectories directories) throws IOException {
    List<Path> found = directories.references();
    if (!found.isEmpty()) {
      throw new IOException(
          "blocks of another door have no references, and %s says what belongs to whom: it is the"
                  .formatted(found)
              + " folder of another storage");
    }
  }

  private static int places(int configured) {
    return configured > 0
        ? configured
        : PEERS_PER_CORE * Runtime.getRuntime().availableProcessors();
  }

  private static Members.Road road(
      Scope scope, StorageClusterConfig config, PeerWire.Wires wires, StorageMetrics metrics) {
    Retry retry = config.retry().in(scope);
    return (name, url) ->
        new PeerNode(
            name, new PeerClient(wires.to(url), scope.time(), retry), scope.time(), metrics);
  }

  /** The stores above all that puts, and the way to the other nodes above all that uses it. */
  private Supervisor tree(String name) {
    var stores = Stream.concat(objectStores.stream(), shardStores.stream()).toList();
    var all = Stream.concat(stores.stream(), referenceStores.stream()).toList();
    Supervisor tree =
        StorageService.Kept.stores(name, all, events, scope)
            .child("peers", Restart.ALWAYS, () -> new WireEnd(wires::close))
            .child("asks", Restart.ALWAYS, () -> threads)
            .child("take-back", Restart.ALWAYS, () -> takeBacks)
            .child(
                "heartbeats",
                Restart.ALWAYS,
                () -> new Heartbeats(members, config.grace(), scope.world().threads(), events));
    if (registry.isPresent()) {
      HttpClient to = registry.get();
      tree =
          tree.child("registry", Restart.ALWAYS, () -> new WireEnd(to::close))
              .child("membership", Restart.ALWAYS, () -> membership(to));
    }
    StorageConfig.Durability durability = config.storage().durability();
    Duration scrub = durability.scrubPeriod();
    if (!shards.all().isEmpty()) {
      tree = tree.child("scrub-shards", Restart.ALWAYS, () -> scrubber(shards, scrub));
    }
    tree = withReferences(tree, scrub);
    Duration plan = durability.planPeriod();
    Duration expire = config.storage().uploads().expire();
    var repair = new ClusterRepair(cluster, upkeep, scope.time());
    return tree.child(
            "cluster-planner",
            Restart.ALWAYS,
            () -> new ClusterPlanner(cluster, upkeep, plan, round))
        .children("repair", durability.repairWorkers(), Restart.ALWAYS, () -> upkeep.worker(repair))
        .child("scrub", Restart.ALWAYS, () -> upkeep.scrubber(scrub))
        .child("planner", Restart.ALWAYS, () -> upkeep.planner(plan, this::onDisks, false))
        .child("shutdown", Restart.ALWAYS, upkeep::shutdown)
        .child("uploads", Restart.ALWAYS, () -> new UploadSweep(scope, uploads, expire))
        .child("disks", Restart.ALWAYS, () -> new DiskWatch(scope, objectStores))
        .children(
            "placement", stores, Restart.ALWAYS, each -> new PlacementTask(each, upkeep.volumes()));
  }

  private Task membership(HttpClient to) {
    var etcd = new EtcdClient(to, config.etcd(), scope.time());
    return new EtcdMembership(cluster, etcd, scope.world().threads(), events);
  }

  private Task scrubber(Volumes volumes, Duration period) {
    var progress = new AtomicReference<>(Scrubber.Progress.NONE);
    return new Scrubber(volumes, upkeep.pace(), period, metrics, progress);
  }

  private Supervisor withReferences(Supervisor tree, Duration scrub) {
    Volumes recorded = references;
    ClusterReferences objects = referenced;
    if (recorded == null || objects == null) {
      return tree;
    }
    return tree.child("scrub-references", Restart.ALWAYS, () -> scrubber(recorded, scrub))
        .children(
            "placement-references",
            referenceStores,
            Restart.ALWAYS,
            each -> new PlacementTask(each, recorded))
        .child("byte-seconds", Restart.ALWAYS, () -> new ByteSecondsTask(charged))
        .child("references-sync", Restart.ALWAYS, () -> objects.sync(scope))
        .child(
            "references",
            Restart.ALWAYS,
            () -> new ClusterCollector(scope, objects, address -> local.stat(address).isPresent()));
  }

  private RepairQueue.Offer onDisks(RepairPlan plan) {
    return upkeep.queue().offer(new NodeRepairPlan.OnDisks(plan));
  }

  /** Takes other peers, regions and weights; the rest waits for a restart. */
  private void reload(StorageClusterConfig fresh) {
    if (!config.etcd().used() && fresh.several()) {
      var told = fresh.membership();
      if (members.told(told)) {
        events.publish(new StorageEvent.MembersChanged(told.seats().keySet().toString()));
      }
    }
  }

  /** The other nodes, for {@code GET /repair}. */
  private PeerMessages.ClusterView view() {
    ClusterPlanner.Round last = round.get();
    var nodes = new ArrayList<PeerMessages.NodeView>();
    for (PeerNode node : members.peers()) {
      nodes.add(
          new PeerMessages.NodeView(
              node.name(),
              node.url(),
              node.presence(config.grace()).name().toLowerCase(Locale.ROOT),
              node.takesWrites()));
    }
    return new PeerMessages.ClusterView(
        local.name(),
        members.registry(),
        nodes,
        members.view().replication(),
        last.number(),
        last.missing(),
        last.urgent(),
        last.surplus(),
        last.skipped(),
        last.away());
  }

  /** Waits for the drain, and then lets the connections go. */
  private record WireEnd(Runnable close) implements Task {
    @Override
    public Next run(Instant now) {
      return Next.at(Instant.MAX);
    }

    @Override
    public void finish(Instant now) {
      close.run();
    }
  }
}
