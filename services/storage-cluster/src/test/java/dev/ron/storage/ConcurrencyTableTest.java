package dev.ron.storage;

import dev.ron.kernel.registry.RegistryTable;
import dev.ron.testkit.Golden;
import dev.ron.testkit.SeedRow;
import dev.ron.testkit.TopologyDiagram;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The documentation's table of tasks, channels, locks and metrics is what the service registers.
 */
final class ConcurrencyTableTest {
  private static final String[] FLOWS = {
    "http -> work -> http",
    "http -> get -> http",
    "http -> put -> http",
    "http -> content-lanes-N -> http",
    "http -> content-commit-N -> commit-N",
    "repair-N -> content-commit-N -> commit-N",
    "commit-N -> content-moved-N -> housekeeping-N",
    "planner -> repair-urgent -> repair-N",
    "planner -> repair-urgent-shards -> repair-N",
    "planner -> repair -> repair-N",
    "planner -> repair-shards -> repair-N",
    "http -> events -> events",
    "placement-N -> events -> events",
    "repair-N -> events -> events",
    "shutdown -> shutdown -> repair-N",
    "http -> references-dropped -> references",
  };

  @TempDir private Path folder;

  @Test
  @SeedRow({"S73", "S76"})
  void theDocumentedTableIsTheRegistry() throws Exception {
    try (Rig rig =
            Rig.open(
                folder,
                Rig.dirs(folder.resolve("a"), folder.resolve("b")),
                "pools.get=8",
                "pools.put=32");
        var cluster =
            new ClusterRig(
                folder.resolve("cluster"),
                3,
                "pools.get=8",
                "pools.put=32",
                "pools.peer=16",
                "durability.ec_min_bytes=1MiB")) {
      Golden.matches(
          "docs/concurrency/storage.md",
          """
          # Concurrency of the storage

          Written by `ConcurrencyTableTest` from the registry of a running service with two data directories and two
          cores; `-Dron.golden=write` writes it anew. `get` and `put` are 4 and 16 places for each core. `shutdown` is
          told by the task of that name, which ends before them, to the workers that copy. Doors are not tasks: `http`,
          and `nodes` where nodes show each other certificates.

          """
              + RegistryTable.markdown(rig.scope.registry(), rig.scope.metrics())
              + TopologyDiagram.markdown(rig.scope.registry(), FLOWS)
              + """

              ## With several nodes

              The same of one of three nodes with one data directory and erasure coding: what each has beside it. `peer` is
              for work of other nodes, 8 places for each core; `heartbeats` asks each of the others in a thread of its own;
              `membership` is there with etcd.

              """
              + RegistryTable.markdown(cluster.node("a").scope.registry()));
    }
  }
}
