package dev.ron.edge;

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
  @TempDir private Path folder;

  @Test
  @SeedRow({"E04", "E19", "E22", "E103", "E98", "E99"})
  void theDocumentedTableIsTheRegistry() throws Exception {
    try (Rig rig = Rig.open(folder, "packs=[]", "fill.workers=2")) {
      Golden.matches(
          "docs/concurrency/edge.md",
          """
          # Concurrency of the edge

          Written by `ConcurrencyTableTest` from the registry of a running service with two workers;
          `-Dron.golden=write` writes it anew.

          """
              + RegistryTable.markdown(rig.scope.registry(), rig.scope.metrics())
              + TopologyDiagram.markdown(
                  rig.scope.registry(),
                  "http -> work -> worker-N",
                  "http -> shutdown -> worker-N",
                  "reload -> settings -> http",
                  "reload -> settings -> worker-N",
                  "reload -> settings -> audit",
                  "http -> events -> audit",
                  "worker-N -> events -> audit",
                  "pack-verifier -> events -> audit",
                  "pack-watch -> packs -> pack-verifier",
                  "worker-N -> heads -> flush",
                  "flush -> heads-flushed -> worker-N",
                  "worker-N -> content-commit -> content-commit",
                  "worker-N -> content-lanes -> worker-N",
                  "content-commit -> content-moved -> content-housekeeping",
                  "worker-N -> deletions -> evictor"));
    }
  }
}
