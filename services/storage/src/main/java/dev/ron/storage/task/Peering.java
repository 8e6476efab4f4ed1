package dev.ron.storage.task;

import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.http.tls.PeerTls;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.ClusterConfig;
import dev.ron.storage.PeerTrust;
import dev.ron.storage.StorageConfig;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.core.NodeRepairPlan;
import dev.ron.storage.disk.Shelf;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Everything that there is only with several nodes: them, the way to them, and what keeps them
 * alike.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 *
 * @param places for what other nodes ask of this one
 * @param http speaks to nodes that have proved themselves, and to nothing else
 * @param registry speaks to etcd, which has no part in the nodes' certificates
 */
public record Peering(
    Cluster cluster,
    Pool places,
    TakeBacks takeBacks,
    HttpClient http,
    Optional<HttpClient> registry,
    Shelves shards,
    Upkeep<NodeRepairPlan> upkeep,
    Courier courier,
    Scope scope,
    AtomicReference<ClusterPlanner.Round> round,
    AtomicReference<Scrubber.Progress> shardScrub) {
  private static final HttpClientConfig ANYWHERE =
      HttpClientConfig.standard().with(AddressPolicy.ANY);

  private static final int PLACES_PER_CORE = 8;
  private static final int WAITING_MAX = 512;

  /**
   * @param peerCapability shown to the other nodes where none was configured
   * @throws IOException if the client cannot be made
   */
  public static Peering of(
      Scope scope,
      StorageConfig config,
      Upkeep<NodeRepairPlan> upkeep,
      List<Shelf> shardShelves,
      Broadcast<StorageEvent> events,
      Supplier<String> peerCapability)
      throws IOException {
    ClusterConfig cluster = config.cluster();
    HttpClient http = client(scope, cluster.trust());
    Optional<HttpClient> registry =
        cluster.etcd().used() ? Optional.of(new HttpClient(scope, ANYWHERE)) : Optional.empty();
    var shards = new Shelves(shardShelves, 1, 1, new DamageBook(events, upkeep.metrics()));
    var local =
        new LocalNode(
            cluster.node(), upkeep.shelves(), shards, new CodedIndex(), upkeep, scope.time());
    local.learnAll();
    var members =
        new Members(
            local,
            cluster.membership(config.bind()),
            Set.copyOf(cluster.residency()),
            config.durability().replication(),
            cluster.grace(),
            road(scope, cluster, http, peerCapability, upkeep.metrics()),
            scope.time());
    if (cluster.etcd().used() && cluster.peers().size() < 2) {
      members.awaitRegistry("etcd was not heard yet");
      scope.readiness().derived("membership", members::unknown);
    }
    var hedged =
        new HedgedRead(
            scope.time(),
            scope.world().threads(),
            cluster.hedgeAfter(),
            cluster.hedgeBudget(),
            upkeep.metrics());
    var takeBacks = new TakeBacks(scope);
    var all = new Cluster(scope, cluster, config.durability().quorum(), members, hedged, takeBacks);
    upkeep.pace().others(members::paceShare);
    var work = new WaitingRoom(scope, "peer-work", WAITING_MAX);
    return new Peering(
        all,
        new Pool(scope, "peer", places(config.pools().peer()), work),
        takeBacks,
        http,
        registry,
        shards,
        upkeep,
        new Courier(all, upkeep, scope.time()),
        scope,
        new AtomicReference<>(ClusterPlanner.Round.NONE),
        new AtomicReference<>(Scrubber.Progress.NONE));
  }

  private static int places(int configured) {
    return configured > 0
        ? configured
        : PLACES_PER_CORE * Runtime.getRuntime().availableProcessors();
  }

  /** Nodes come from a list that was checked; were it not, a stranger would still get nothing. */
  private static Members.Road road(
      Scope scope,
      ClusterConfig cluster,
      HttpClient http,
      Supplier<String> minted,
      StorageMetrics metrics) {
    Supplier<String> token = cluster.capability().isEmpty() ? minted : cluster.capability()::reveal;
    return (name, url) -> {
      Supplier<String> shown = cluster.trust().refusal(url).isPresent() ? () -> "" : token;
      return new PeerNode(
          name, new PeerCalls(http, url, shown, scope.time()), scope.time(), metrics);
    };
  }

  private static HttpClient client(Scope scope, PeerTrust trust) throws IOException {
    Optional<PeerTls> certificates = trust.certificates();
    if (certificates.isPresent()) {
      return new HttpClient(scope, ANYWHERE, certificates.get());
    }
    // A name is looked up at each connection, so what it means is checked then.
    return new HttpClient(
        scope, trust.beyondLoopback() ? ANYWHERE : ANYWHERE.with(InetAddress::isLoopbackAddress));
  }

  /** The way to the others above all that uses it. */
  public Supervisor into(Supervisor tree, StorageConfig.Durability durability) {
    Supervisor wider =
        tree.child("peers", Restart.ALWAYS, () -> new ClientEnd(http))
            .child("take-back", Restart.ALWAYS, () -> takeBacks)
            .child(
                "heartbeats",
                Restart.ALWAYS,
                () ->
                    new Heartbeats(
                        cluster.members(),
                        cluster.config().grace(),
                        scope.world().threads(),
                        events()));
    if (registry.isPresent()) {
      HttpClient to = registry.get();
      wider =
          wider
              .child("registry", Restart.ALWAYS, () -> new ClientEnd(to))
              .child(
                  "membership",
                  Restart.ALWAYS,
                  () ->
                      new EtcdMembership(
                          cluster,
                          new Etcd(to, etcd(), scope.time()),
                          scope.world().threads(),
                          events()));
    }
    if (!shards.all().isEmpty()) {
      wider =
          wider.child(
              "scrub-shards",
              Restart.ALWAYS,
              () ->
                  new Scrubber(
                      shards,
                      upkeep.pace(),
                      durability.scrubPeriod(),
                      upkeep.metrics(),
                      shardScrub));
    }
    return wider.child(
        "cluster-planner",
        Restart.ALWAYS,
        () -> new ClusterPlanner(cluster, upkeep, durability.planPeriod(), round));
  }

  private ClusterConfig.Etcd etcd() {
    return cluster.config().etcd();
  }

  private Broadcast<StorageEvent> events() {
    return upkeep.shelves().damage().events();
  }

  /** Takes other peers, regions and weights; the rest waits for a restart. */
  public void reload(StorageConfig fresh) {
    if (!etcd().used() && fresh.cluster().several()) {
      var told = fresh.cluster().membership(fresh.bind());
      if (cluster.members().told(told)) {
        events().publish(new StorageEvent.MembersChanged(told.seats().keySet().toString()));
      }
    }
  }

  /** Waits for the drain, and then lets the connections go. */
  private record ClientEnd(HttpClient http) implements Task {
    @Override
    public Next run(Instant now) {
      return Next.at(Instant.MAX);
    }

    @Override
    public void finish(Instant now) {
      http.close();
    }
  }
}
