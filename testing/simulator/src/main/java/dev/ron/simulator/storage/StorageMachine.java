package dev.ron.simulator.storage;

import dev.ron.config.Settings;
import dev.ron.kernel.Scope;
import dev.ron.simulator.cluster.BootedService;
import dev.ron.simulator.engine.Machine;
import dev.ron.simulator.engine.Seams;
import dev.ron.storage.cluster.StorageClusterConfig;
import dev.ron.storage.cluster.StorageClusterService;
import dev.ron.storage.reference.ObjectViews;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A machine of the storage: production's own wiring, on simulated ways to the others and without
 * doors.
 *
 * <p>Threading: immutable.
 */
record StorageMachine(Scope scope, StorageClusterService.KeptObjects kept, ObjectViews views) {
  static final Path FOLDER = Path.of("/storage");

  static BootedService<StorageMachine> on(
      Machine machine, NodeWires wires, Seams seams, int replication) {
    var service =
        new BootedService<StorageMachine>(
            machine, "storage", scope -> start(scope, machine, wires, seams, replication));
    wires.add(service);
    return service;
  }

  private static BootedService.Started<StorageMachine> start(
      Scope scope, Machine machine, NodeWires wires, Seams seams, int replication)
      throws Exception {
    StorageClusterService.KeptObjects kept =
        StorageClusterService.keepObjects(
            "storage", config(machine.name(), replication), scope, _ -> wires.from(machine));
    return new BootedService.Started<>(
        kept.supervisor().start(scope),
        new StorageMachine(scope, kept, seams.views(machine.name(), kept.views())));
  }

  private static StorageClusterConfig config(String name, int replication) {
    Map<String, String> flags = new TreeMap<>();
    flags.put("storage.public_read", "false");
    flags.put("storage.durability.replication", Integer.toString(replication));
    flags.put("storage.durability.write_quorum", "2");
    flags.put("storage.durability.repair_rate", "1MiB/s");
    flags.put("storage.durability.plan_period", "5s");
    flags.put("storage.durability.scrub_period", "1m");
    flags.put("storage.durability.delete_grace", "0s");
    flags.put("storage.durability.ec_data", "2");
    flags.put("storage.durability.ec_parity", "1");
    flags.put("storage.durability.ec_min_bytes", SampleObject.CODED_BYTES + "B");
    flags.put("storage.pools.get", "8");
    flags.put("storage.pools.put", "8");
    flags.put("storage.pools.peer", "16");
    flags.put("storage.cluster.node", name);
    flags.put("storage.cluster.grace", "40s");
    flags.put(
        "storage.cluster.peers",
        "{ a = \"%s\", b = \"%s\", c = \"%s\" }"
            .formatted(NodeWires.url("a"), NodeWires.url("b"), NodeWires.url("c")));
    Settings all = Settings.load(flags, Map.of(), Optional.empty());
    var read =
        all.read("storage", section -> StorageClusterConfig.read(section, "127.0.0.1:0", FOLDER));
    all.check();
    return read.value();
  }
}
