package dev.ron.storage.s3.cluster;

import dev.ron.capability.Verifier;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.Limits;
import dev.ron.http.tls.PeerIdentity;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Task;
import dev.ron.ordered.OrderedStore;
import dev.ron.ordered.rocks.RocksOrderedStore;
import dev.ron.raft.GroupMachines;
import dev.ron.raft.GroupMembership;
import dev.ron.raft.GroupReadiness;
import dev.ron.raft.PeerKeys;
import dev.ron.raft.RaftGroupStatus;
import dev.ron.raft.RaftNode;
import dev.ron.raft.RaftSettings;
import dev.ron.raft.RatisNode;
import dev.ron.storage.StorageConfig;
import dev.ron.storage.cluster.PeerTrust;
import dev.ron.storage.cluster.StorageClusterConfig;
import dev.ron.storage.cluster.StorageClusterService;
import dev.ron.storage.cluster.node.ClusterNode;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.s3.StorageS3Config;
import dev.ron.storage.s3.StorageS3Service;
import dev.ron.storage.s3.block.BlockCollector;
import dev.ron.storage.s3.block.BlockStore;
import dev.ron.storage.s3.encryption.MasterKeys;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.Names;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The wiring of the S3 door on several machines, as one of them has it: blocks on all of them,
 * names by a log that they agree on, the door.
 */
public final class StorageS3ClusterService {
  private static final int ENTRY_BYTES_MAX = 8 << 20;
  private static final int GROUP = 0;
  private static final Duration PEER_LIMIT = Duration.ofSeconds(30);

  /** Several heartbeats, and shorter than any grace that a reader needs. */
  private static final Duration AWAY_AFTER = Duration.ofSeconds(3);

  /** Elections may take twice the time of one, and the first may come to nothing. */
  private static final int ELECTIONS = 6;

  private StorageS3ClusterService() {}

  /**
   * The tree, and the door its address is asked of once it is open.
   *
   * @param reload takes the machines that keep blocks, of settings that were read anew
   * @param records that other parts of the node have agreed on
   */
  public record Wired(
      Supervisor supervisor, HttpServer door, Reload reload, AgreedRecords records) {}

  /** Takes settings that were read anew. */
  @FunctionalInterface
  public interface Reload {
    void take(StorageS3ClusterConfig config, StorageClusterConfig storage);
  }

  /**
   * @param storage whose directories, durability and trust it shares
   * @param hosts names besides this machine's own that the door answers to
   * @param peerToken gives a capability with the operation {@code peer} that is good for the next
   *     minutes
   * @param machines those that the log is to have
   * @throws IOException if a directory or the rows cannot be opened; the message says why
   */
  public static Wired wire(
      StorageS3ClusterConfig config,
      StorageClusterConfig storage,
      Scope scope,
      Limits limits,
      List<String> hosts,
      Verifier verifier,
      Supplier<String> peerToken,
      GroupMachines machines)
      throws IOException {
    StorageClusterConfig blocksConfig = config.blocksOf(storage);
    StorageClusterService.Kept kept =
        StorageClusterService.keep("s3", blocksConfig, scope, limits, verifier, peerToken);
    var alone = new AloneRows(scope.disk(), folder(blocksConfig.storage()));
    alone.adopt(
        () -> StorageS3Service.settledNames(config.s3(), blocksConfig.storage(), scope),
        config.foundedBy(),
        storage.node());
    KeptNames named =
        keepNames(
            kept.supervisor(),
            config.s3(),
            scope,
            new NamesPlan(
                storage.node(),
                folder(blocksConfig.storage()),
                raft(config, blocksConfig),
                RatisNode::new,
                RocksOrderedStore::open,
                kept.store().local(),
                kept.store(),
                machines));
    Names names = named.names();
    BlockStore blocks =
        StorageS3Service.blocks("block-", blocksConfig.storage().pools(), scope, kept.store());
    HttpServer door =
        StorageS3Service.door(
            StorageS3Service.context(config.s3(), scope, names, blocks, masterKeys(config.s3())),
            scope,
            limits,
            hosts,
            verifier);
    return new Wired(
        named.supervisor().door("http", door),
        door,
        (fresh, of) -> kept.reload().accept(fresh.blocksOf(of)),
        new AgreedRecords(scope, names));
  }

  /**
   * What names stand on.
   *
   * @param machine this one's name among those that keep the log
   * @param folder of the rows
   * @param log makes this machine's part in the log
   * @param local this machine's own blocks
   * @param blocks all of them
   * @param machines as for {@link #wire}
   */
  public record NamesPlan(
      String machine,
      Path folder,
      RaftSettings raft,
      RaftNode.Maker log,
      OrderedStore.Opener rows,
      ClusterNode local,
      ObjectStore blocks,
      GroupMachines machines) {}

  /** Names that several machines keep, without a door: the tree that keeps them. */
  public record KeptNames(Supervisor supervisor, Names names) {}

  /**
   * Keeps names in step with those of other machines, and deletes blocks that have none.
   *
   * @param tree what stands above them
   * @throws IOException if the rows cannot be opened; the message says why
   */
  public static KeptNames keepNames(
      Supervisor tree, StorageS3Config config, Scope scope, NamesPlan plan) throws IOException {
    ReplicatedRows rows =
        ReplicatedRows.open(scope.disk(), plan.folder(), config.names().rows(), plan.rows());
    var barrier = new NameBarrier(scope);
    var names = new Names(scope, rows, barrier);
    var alone = new AloneRows(scope.disk(), plan.folder());
    var replica = new NameReplica(scope, plan.machine(), rows, alone, names::applier);
    RaftNode node = plan.log().make(scope, plan.raft(), _ -> replica);
    barrier.open(() -> isLeaderless(node, plan));
    scope.readiness().derived("names", new GroupReadiness(node, plan.machines())::missing);
    replica.open((machine, question) -> ask(node, machine, question), () -> tell(node));
    Supervisor kept =
        tree.child("rows", Restart.ALWAYS, () -> new RowsEnd(rows))
            .door("raft", node)
            .child(
                "members", Restart.ALWAYS, () -> new GroupMembership(scope, node, plan.machines()));
    return new KeptNames(tasks(kept, config, scope, names, barrier, replica, node, plan), names);
  }

  /** Each machine must have the same, so none makes its own. */
  private static MasterKeys masterKeys(StorageS3Config config) throws IOException {
    return config.masterKeys().isEmpty()
        ? MasterKeys.NONE
        : MasterKeys.open(Path.of(config.masterKeys()));
  }

  /** What consumes stands above what produces, as on one machine. */
  private static Supervisor tasks(
      Supervisor tree,
      StorageS3Config config,
      Scope scope,
      Names names,
      NameBarrier barrier,
      NameReplica replica,
      RaftNode node,
      NamesPlan plan) {
    StorageS3Config.Garbage garbage = config.garbage();
    Watch<Long> failures = Watch.of(scope, "names-failed", 0L);
    return tree.child(
            "names",
            Restart.ALWAYS,
            () ->
                new NameProposer(
                    scope, names.inbox(), barrier, replica, () -> node.group(GROUP), failures))
        .child(
            "burial",
            Restart.ALWAYS,
            () -> new BlockBurial(scope, names, plan.local(), garbage.period()))
        .child(
            "garbage",
            Restart.ALWAYS,
            () ->
                leader(
                    replica,
                    names,
                    new BlockCollector(
                        names,
                        condemned(names, node),
                        scope.time(),
                        garbage.grace(),
                        garbage.period())))
        .child(
            "former-machines",
            Restart.ALWAYS,
            () ->
                leader(
                    replica,
                    names,
                    new FormerMachines(scope, names, () -> machines(node, plan), garbage.period())))
        .child(
            "lifecycle",
            Restart.ALWAYS,
            () -> leader(replica, names, StorageS3Service.lifecycle(config, scope, names)))
        .child(
            "orphans",
            Restart.ALWAYS,
            () ->
                leader(
                    replica,
                    names,
                    new OrphanNotes(
                        names, plan.blocks(), scope.time(), garbage.grace(), garbage.period())));
  }

  private static boolean isLeaderless(RaftNode node, NamesPlan plan) {
    RaftGroupStatus log = node.group(GROUP).status();
    return !log.quorum()
        && log.sinceLeader().compareTo(plan.raft().electionMin().multipliedBy(ELECTIONS)) > 0;
  }

  private static Task leader(NameReplica replica, Names names, Task work) {
    return new LeaderTask(work, replica::leads, names);
  }

  /**
   * The notes go with the command itself. All machines that keep the log may have bytes of a block,
   * and until the last has deleted its own the same bytes cannot be put again: so nothing is
   * condemned while one of them is away.
   */
  private static BlockCollector.Disposal condemned(Names names, RaftNode node) {
    return garbage -> {
      List<RaftGroupStatus.Peer> machines = node.group(GROUP).status().peers();
      if (!garbage.isEmpty()
          && machines.stream().allMatch(each -> each.silence().compareTo(AWAY_AFTER) < 0)) {
        names.changed(
            new NameCommand.Condemn(
                garbage, machines.stream().map(RaftGroupStatus.Peer::name).sorted().toList()));
      }
      return List.of();
    };
  }

  /** Those of the log and of the list: one that is in either may still have bytes that count. */
  private static Set<String> machines(RaftNode node, NamesPlan plan) {
    var names = new HashSet<>(plan.machines().wanted().keySet());
    RaftGroupStatus log = node.group(GROUP).status();
    log.peers().forEach(each -> names.add(each.name()));
    return log.leads() && !log.peers().isEmpty() ? names : Set.of();
  }

  /** The folder of all names is in the first of the directories, apart from a machine alone's. */
  private static Path folder(StorageConfig blocks) {
    return blocks.dataDirs().getFirst().resolve("names-shared");
  }

  private static RaftSettings raft(StorageS3ClusterConfig config, StorageClusterConfig blocks)
      throws IOException {
    return new RaftSettings(
        "s3-names",
        blocks.node(),
        config.names(),
        config.bind(),
        folder(blocks.storage()).resolve("raft"),
        1,
        config.election(),
        ENTRY_BYTES_MAX,
        config.foundedBy(),
        config.log().logSegment().bytes(),
        config.log().logEntries(),
        true,
        keys(blocks.tls()));
  }

  private static Optional<PeerKeys> keys(PeerTrust trust) throws IOException {
    if (!trust.byCertificate()) {
      return Optional.empty();
    }
    PeerIdentity identity = trust.certificates().orElseThrow().identity();
    return Optional.of(new PeerKeys(identity.keys(), identity.trust()));
  }

  private static byte[] ask(RaftNode node, String machine, byte[] question)
      throws IOException, InterruptedException {
    try {
      return node.group(GROUP)
          .ask(machine, question)
          .get(PEER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException failed) {
      throw new IOException(machine + " did not answer: " + failed, failed);
    }
  }

  private static void tell(RaftNode node) {
    try {
      node.group(GROUP).tellFollowers();
    } catch (IOException | IndexOutOfBoundsException _) {
      // the next heartbeat tells them
    }
  }

  /** Waits for the drain, and then closes the rows in order, so that the next start is fast. */
  private record RowsEnd(ReplicatedRows rows) implements Task {
    @Override
    public Next run(Instant now) {
      return Next.at(Instant.MAX);
    }

    @Override
    public void finish(Instant now) throws IOException {
      rows.close();
    }
  }
}
