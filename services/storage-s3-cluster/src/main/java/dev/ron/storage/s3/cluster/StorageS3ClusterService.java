package dev.ron.storage.s3.cluster;

import dev.ron.capability.Verifier;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.Limits;
import dev.ron.http.tls.PeerTls;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Task;
import dev.ron.raft.PeerKeys;
import dev.ron.raft.RaftNode;
import dev.ron.raft.RaftSettings;
import dev.ron.storage.StorageConfig;
import dev.ron.storage.cluster.StorageClusterConfig;
import dev.ron.storage.cluster.StorageClusterService;
import dev.ron.storage.cluster.object.ClusterStore;
import dev.ron.storage.s3.StorageS3Config;
import dev.ron.storage.s3.StorageS3Service;
import dev.ron.storage.s3.block.BlockCollector;
import dev.ron.storage.s3.block.BlockStore;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.Names;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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

  private StorageS3ClusterService() {}

  /**
   * @param storage whose directories, durability and trust it shares
   * @param hosts names besides this machine's own that the door answers to
   * @param peerToken gives a capability with the operation {@code peer} that is good for the next
   *     minutes
   * @throws IOException if a directory or the rows cannot be opened; the message says why
   */
  public static StorageS3Service.Wired wire(
      StorageS3ClusterConfig config,
      StorageClusterConfig storage,
      Scope scope,
      Limits limits,
      List<String> hosts,
      Verifier verifier,
      Supplier<String> peerToken)
      throws IOException {
    StorageClusterConfig blocksConfig = config.blocksOf(storage);
    StorageClusterService.Kept kept =
        StorageClusterService.keep("s3", blocksConfig, scope, limits, verifier, peerToken);
    ReplicatedRows rows =
        ReplicatedRows.open(
            scope.disk(), folder(blocksConfig.storage()), config.s3().names().rows());
    var barrier = new NameBarrier(scope);
    var names = new Names(scope, rows, barrier);
    var replica = new NameReplica(scope, storage.node(), rows, names::applier);
    var node = new RaftNode(scope, raft(config, blocksConfig), _ -> replica);
    replica.open((machine, question) -> ask(node, machine, question), () -> tell(node));
    BlockStore blocks =
        StorageS3Service.blocks("block-", blocksConfig.storage().pools(), scope, kept.store());
    HttpServer door =
        StorageS3Service.door(
            StorageS3Service.context(config.s3(), scope, names, blocks),
            scope,
            limits,
            hosts,
            verifier);
    Supervisor tree =
        kept.supervisor().child("rows", Restart.ALWAYS, () -> new RowsEnd(rows)).door("raft", node);
    return new StorageS3Service.Wired(
        tasks(tree, config, scope, names, barrier, replica, node, kept.store()).door("http", door),
        door);
  }

  /** What consumes stands above what produces, as on one machine. */
  private static Supervisor tasks(
      Supervisor tree,
      StorageS3ClusterConfig config,
      Scope scope,
      Names names,
      NameBarrier barrier,
      NameReplica replica,
      RaftNode node,
      ClusterStore blocks) {
    StorageS3Config.Garbage garbage = config.s3().garbage();
    List<String> machines = config.names().keySet().stream().sorted().toList();
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
            () -> new BlockBurial(scope, names, blocks.local(), garbage.period()))
        .child(
            "garbage",
            Restart.ALWAYS,
            () ->
                leader(
                    replica,
                    names,
                    new BlockCollector(
                        names,
                        condemned(names, machines),
                        scope.time(),
                        garbage.grace(),
                        garbage.period())))
        .child(
            "lifecycle",
            Restart.ALWAYS,
            () -> leader(replica, names, StorageS3Service.lifecycle(config.s3(), scope, names)))
        .child(
            "orphans",
            Restart.ALWAYS,
            () ->
                leader(
                    replica,
                    names,
                    new OrphanNotes(
                        names, blocks, scope.time(), garbage.grace(), garbage.period())));
  }

  private static Task leader(NameReplica replica, Names names, Task work) {
    return new LeaderTask(work, replica::leads, names);
  }

  /** The notes go with the command itself. */
  private static BlockCollector.Disposal condemned(Names names, List<String> machines) {
    return garbage -> {
      if (!garbage.isEmpty()) {
        names.changed(new NameCommand.Condemn(garbage, machines));
      }
      return List.of();
    };
  }

  /** The folder of all names is in the first of the directories, apart from a machine alone's. */
  private static Path folder(StorageConfig blocks) {
    return blocks.dataDirs().getFirst().resolve("names-shared");
  }

  private static RaftSettings raft(StorageS3ClusterConfig config, StorageClusterConfig blocks) {
    return new RaftSettings(
        "s3-names",
        blocks.node(),
        config.names(),
        config.bind(),
        folder(blocks.storage()).resolve("raft"),
        1,
        config.election(),
        ENTRY_BYTES_MAX,
        config.join(),
        config.log().logSegment().bytes(),
        config.log().logEntries(),
        true,
        blocks.tls().certificates().map(StorageS3ClusterService::keys));
  }

  private static PeerKeys keys(PeerTls shown) {
    return new PeerKeys(shown.certificates(), shown.key(), shown.authority());
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
