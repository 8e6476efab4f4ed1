package dev.ron.storage.s3;

import dev.ron.capability.Verifier;
import dev.ron.config.DoorAddress;
import dev.ron.config.value.HostPort;
import dev.ron.content.ContentMetrics;
import dev.ron.http.server.Access;
import dev.ron.http.server.Bind;
import dev.ron.http.server.Dialect;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.Limits;
import dev.ron.http.server.exchange.Decoders;
import dev.ron.http.server.guard.Guard;
import dev.ron.http.server.route.Route;
import dev.ron.http.server.route.Routes;
import dev.ron.journal.AmnesiaJournal;
import dev.ron.journal.Journal;
import dev.ron.journal.JournalSettings;
import dev.ron.journal.file.FileJournal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.ByteSeconds;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Task;
import dev.ron.ordered.MemoryOrderedStore;
import dev.ron.ordered.OrderedSettings;
import dev.ron.ordered.OrderedStore;
import dev.ron.ordered.rocks.RocksOrderedStore;
import dev.ron.storage.StorageConfig;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.StorageService;
import dev.ron.storage.object.ByteSecondsTask;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.PermitQueue;
import dev.ron.storage.object.Permits;
import dev.ron.storage.s3.api.S3Admission;
import dev.ron.storage.s3.api.S3Context;
import dev.ron.storage.s3.api.S3Door;
import dev.ron.storage.s3.api.S3ErrorFormat;
import dev.ron.storage.s3.block.BlockCollector;
import dev.ron.storage.s3.block.BlockMemory;
import dev.ron.storage.s3.block.BlockPins;
import dev.ron.storage.s3.block.BlockStore;
import dev.ron.storage.s3.block.BodyWriter;
import dev.ron.storage.s3.block.ObjectBodyReader;
import dev.ron.storage.s3.block.OrphanSweep;
import dev.ron.storage.s3.check.MasterKeyCheck;
import dev.ron.storage.s3.encryption.MasterKeys;
import dev.ron.storage.s3.encryption.ObjectKeys;
import dev.ron.storage.s3.lifecycle.LifecycleSweep;
import dev.ron.storage.s3.names.NameCheckpoint;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.object.StoredQuota;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The wiring of the S3 door on one machine: blocks, names, the door.
 *
 * <p>What consumes stands above what produces: the stores above the names, the names above the
 * door. Everything is read here, before there is a door, so that no request meets half of it.
 */
public final class StorageS3Service {
  private static final int RECORD_BYTES_MAX = 2 << 20;
  private static final int MIB = 1 << 20;
  private static final String ROWS = "rows";

  private StorageS3Service() {}

  /** The tree, and the door its address is asked of once it is open. */
  public record Wired(Supervisor supervisor, HttpServer door) {}

  /**
   * @param storage whose directories and durability it shares
   * @param hosts names besides this machine's own that the door answers to
   * @throws IOException if a directory, the log or the rows cannot be opened; the message says why
   */
  public static Wired wire(
      StorageS3Config config,
      StorageConfig storage,
      Scope scope,
      Limits limits,
      List<String> hosts,
      Verifier verifier)
      throws IOException {
    StorageConfig blocksConfig = StorageS3Config.blocks(storage);
    StorageService.Kept kept =
        StorageService.Kept.open(
            blocksConfig, scope, StorageMetrics.in(scope), ContentMetrics.in(scope));
    Journal journal = journal(blocksConfig, scope);
    OrderedStore rows = rows(config, blocksConfig, scope);
    var bytes = new ByteSeconds(scope.meter());
    Names names = Names.open(scope, journal, rows, bytes);
    MasterKeys masters;
    try {
      masters = masterKeys(config, blocksConfig, scope, names);
    } catch (IOException refused) {
      rows.close(); // or another start in this process would find them in use
      throw refused;
    }
    BlockStore blocks = blocks("", blocksConfig.pools(), scope, kept.repairs().volumes());
    HttpServer door =
        door(context(config, scope, names, blocks, masters), scope, limits, hosts, verifier);

    Supervisor tree = kept.repaired(kept.stores("s3", scope), blocksConfig.durability(), scope);
    tree =
        tree.child(
            "checkpoint",
            Restart.ALWAYS,
            () -> new NameCheckpoint(journal, rows, config.names().checkpointPeriod()));
    if (journal instanceof FileJournal file) {
      tree = tree.child("flush", Restart.ALWAYS, file::flushTask);
    }
    StorageS3Config.Garbage garbage = config.garbage();
    return new Wired(
        tree.child("byte-seconds", Restart.ALWAYS, () -> new ByteSecondsTask(bytes))
            .child("names", Restart.ALWAYS, () -> names.loop(journal))
            .child(
                "garbage",
                Restart.ALWAYS,
                () ->
                    new BlockCollector(
                        names,
                        BlockCollector.here(names, blocks),
                        scope.time(),
                        garbage.grace(),
                        garbage.period()))
            .child("lifecycle", Restart.ALWAYS, () -> lifecycle(config, scope, names))
            .child(
                "orphans",
                Restart.ALWAYS,
                () -> new OrphanSweep(names.view(), blocks, garbage.grace(), garbage.period()))
            .door("http", door),
        door);
  }

  /** What follows the rules that delete objects. */
  public static Task lifecycle(StorageS3Config config, Scope scope, Names names) {
    return new LifecycleSweep(
        names,
        scope.time(),
        scope.secrets(),
        config.lifecycle().day(),
        config.lifecycle().period());
  }

  /** Several machines must have the same, so only one alone makes them. */
  private static MasterKeys masterKeys(
      StorageS3Config config, StorageConfig blocks, Scope scope, Names names) throws IOException {
    if (config.masterKeys().isEmpty()) {
      return MasterKeys.NONE;
    }
    Path file = Path.of(config.masterKeys());
    return blocks.amnesia()
        ? MasterKeys.openOrMake(file, scope.secrets())
        : MasterKeyCheck.open(file, names(blocks), names, scope.secrets());
  }

  /** The folder of all names is in the first of the directories. */
  private static Path names(StorageConfig blocks) {
    return blocks.amnesia() ? Path.of("names") : blocks.dataDirs().getFirst().resolve("names");
  }

  /**
   * The names of a machine that was alone, if there are any: its log is brought into the rows, and
   * both are closed.
   */
  public static Optional<Path> settledNames(
      StorageS3Config config, StorageConfig blocks, Scope scope) throws IOException {
    if (blocks.amnesia() || !scope.disk().exists(names(blocks).resolve(ROWS))) {
      return Optional.empty();
    }
    Scope apart = Scope.of(scope.service(), scope.world());
    Journal journal = journal(blocks, apart);
    try (OrderedStore rows = rows(config, blocks, apart)) {
      Names.open(apart, journal, rows);
      rows.flush();
    } finally {
      if (journal instanceof FileJournal file) {
        file.flushTask().finish(scope.time().now());
      }
    }
    return Optional.of(names(blocks));
  }

  private static Journal journal(StorageConfig blocks, Scope scope) throws IOException {
    JournalSettings settings =
        JournalSettings.in(names(blocks).resolve("journal"))
            .named("s3-journal")
            .sized(64 * MIB, 8 * MIB, RECORD_BYTES_MAX, MIB);
    return blocks.amnesia()
        ? new AmnesiaJournal(scope, settings)
        : FileJournal.open(scope, settings);
  }

  private static OrderedStore rows(StorageS3Config config, StorageConfig blocks, Scope scope)
      throws IOException {
    OrderedSettings settings = config.names().rows();
    if (!blocks.amnesia()) {
      scope.disk().createFolders(names(blocks).resolve(ROWS));
    }
    return blocks.amnesia()
        ? MemoryOrderedStore.empty(settings, blocks.sizes().memoryBytes().bytes(), scope.chance())
        : RocksOrderedStore.open(names(blocks).resolve(ROWS), settings);
  }

  /**
   * The blocks, with a limit of reads and writes at a time.
   *
   * @param prefix of the names of what waits
   */
  public static BlockStore blocks(
      String prefix, StorageConfig.Pools pools, Scope scope, ObjectStore store) {
    int cores = Runtime.getRuntime().availableProcessors();
    var waiting = new PermitQueue(scope, prefix + "work", pools.work());
    int reads = pools.get() > 0 ? pools.get() : StorageService.GETS_PER_CORE * cores;
    int writes = pools.put() > 0 ? pools.put() : StorageService.PUTS_PER_CORE * cores;
    return new BlockStore(
        store,
        new BlockPins(),
        new Permits(scope, prefix + "get", reads, store::overdue, waiting),
        new Permits(scope, prefix + "put", writes, store::overdue, waiting));
  }

  /** What operations work with, whatever keeps the names and the blocks. */
  public static S3Context context(
      StorageS3Config config, Scope scope, Names names, BlockStore blocks, MasterKeys masterKeys) {
    var memory = new BlockMemory(scope.time(), config.sizes().bodyMemory().bytes());
    var writer =
        new BodyWriter(
            blocks,
            memory,
            scope.world().threads(),
            scope.time(),
            config.inlineBytes(),
            names.isAlone());
    return new S3Context(
        config,
        names,
        blocks,
        writer,
        new ObjectBodyReader(blocks, names.view()),
        new ObjectKeys(masterKeys, scope.secrets()),
        StorageS3Metrics.in(scope),
        new StoredQuota(scope, names.view()),
        scope.time(),
        scope.secrets());
  }

  /** The door, on which everything is one route. */
  public static HttpServer door(
      S3Context context, Scope scope, Limits limits, List<String> hosts, Verifier verifier)
      throws IOException {
    StorageS3Config config = context.config();
    DoorAddress address = config.address();
    var routes =
        Routes.of(
            Route.all(
                    "s3",
                    new S3Door(
                        context,
                        new S3Admission(verifier, scope.time(), limits.requestsPerSecondMax()),
                        S3OperationTable.of(context)))
                .bodyBytesMax(2 * config.sizes().objectBytes().bytes())
                .withCodedBody()
                .withoutDeadline());
    var own =
        new Limits(
            limits.connectionsMax(),
            limits.headBytesMax(),
            limits.fieldsMax(),
            limits.bodyBytesMax(),
            config.names().requests(),
            0);
    var http =
        HttpServerConfig.on(address.bind().host(), address.bind().port())
            .securedForAnyClient(address.tlsCertificate(), address.tlsKey())
            .besides(address.uds(), address.udsUids())
            .with(own)
            .with(Access.of(hosts(config, hosts), scope, verifier))
            .with(Dialect.raw(new S3ErrorFormat()).withAnyExpectation())
            .onRefusal(
                fault -> context.metrics().errors().labelValues(S3ErrorFormat.code(fault)).inc());
    return new HttpServer(scope, http, routes, Guard.LATER, Decoders.NONE);
  }

  /** On loopback a door answers to names that it is told; buckets below its domain are such. */
  private static List<String> hosts(StorageS3Config config, List<String> told) {
    HostPort bind = config.address().bind();
    boolean loopback = new Bind.Tcp(bind.host(), bind.port()).local();
    String domain = config.domain();
    return !loopback || domain.isEmpty()
        ? told
        : Stream.concat(told.stream(), Stream.of(domain, "*." + domain)).toList();
  }
}
