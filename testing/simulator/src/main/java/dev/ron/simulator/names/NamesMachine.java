package dev.ron.simulator.names;

import dev.ron.blake3.Address;
import dev.ron.config.Settings;
import dev.ron.content.ContentStat;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.raft.RaftSettings;
import dev.ron.simulator.cluster.BootedService;
import dev.ron.simulator.engine.Machine;
import dev.ron.simulator.engine.Seams;
import dev.ron.simulator.log.AgreedLog;
import dev.ron.simulator.log.LogNode;
import dev.ron.storage.cluster.node.ClusterNode;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.s3.StorageS3Config;
import dev.ron.storage.s3.cluster.StorageS3ClusterService;
import dev.ron.storage.s3.names.Names;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A machine that keeps S3's names: production's own tasks on the simulated log, with rows and
 * blocks that are simulated.
 *
 * <p>Threading: immutable.
 *
 * @param open the rows, which others replace when they were fetched
 */
record NamesMachine(Scope scope, Names names, AtomicReference<SimulatedRows> open) {
  private static final Path FOLDER = Path.of("/names");

  static BootedService<NamesMachine> on(
      Machine machine, List<AgreedLog> logs, Seams seams, SimulatedBlocks blocks) {
    return new BootedService<>(
        machine, "s3", scope -> start(scope, machine.name(), logs, seams, blocks));
  }

  SimulatedRows rows() {
    return open.get();
  }

  private static BootedService.Started<NamesMachine> start(
      Scope scope, String name, List<AgreedLog> logs, Seams seams, SimulatedBlocks blocks)
      throws Exception {
    var rows = new AtomicReference<SimulatedRows>();
    StorageS3ClusterService.KeptNames kept =
        StorageS3ClusterService.keepNames(
            Supervisor.named("s3"),
            config(),
            scope,
            new StorageS3ClusterService.NamesPlan(
                name,
                FOLDER,
                raft(name),
                (_, _, machines) -> new LogNode(logs, name, machines, seams),
                (folder, settings) -> {
                  var open = SimulatedRows.open(scope.disk(), folder, settings, scope.chance());
                  rows.set(open);
                  return open;
                },
                seams.blocks(name, local(name, blocks)),
                all(blocks),
                Map::of));
    return new BootedService.Started<>(
        kept.supervisor().start(scope), new NamesMachine(scope, kept.names(), rows));
  }

  private static RaftSettings raft(String name) {
    return new RaftSettings(
        "s3-names",
        name,
        Map.of("a", "127.0.0.1:1", "b", "127.0.0.1:2", "c", "127.0.0.1:3"),
        "",
        FOLDER.resolve("raft"),
        1,
        Duration.ofSeconds(1),
        1 << 20,
        Set.of("a", "b", "c"),
        1 << 20,
        100,
        true,
        Optional.empty());
  }

  private static StorageS3Config config() {
    Map<String, String> flags = new TreeMap<>();
    flags.put("s3.garbage.grace", "1m");
    flags.put("s3.garbage.period", "10s");
    Settings all = Settings.load(flags, Map.of(), Optional.empty());
    var read = all.read("s3", section -> StorageS3Config.read(section, "127.0.0.1:0"));
    all.check();
    return read.value();
  }

  /** Names ask a node for its name and to delete; anything else is a bug here. */
  private static ClusterNode local(String name, SimulatedBlocks blocks) {
    return (ClusterNode)
        Proxy.newProxyInstance(
            NamesMachine.class.getClassLoader(),
            new Class<?>[] {ClusterNode.class},
            (_, method, arguments) ->
                switch (method.getName()) {
                  case "name", "toString" -> name;
                  case "delete" -> blocks.delete(name, (Address) arguments[0]);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  /** Names ask for a list. */
  private static ObjectStore all(SimulatedBlocks blocks) {
    return (ObjectStore)
        Proxy.newProxyInstance(
            NamesMachine.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (_, method, arguments) ->
                switch (method.getName()) {
                  case "list" ->
                      arguments[0] == null
                          ? blocks.list().stream().map(each -> new ContentStat(each, 1)).toList()
                          : List.of();
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }
}
