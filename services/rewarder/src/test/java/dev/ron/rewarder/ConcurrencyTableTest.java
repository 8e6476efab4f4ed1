package dev.ron.rewarder;

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
  @SeedRow({"R04", "R79", "R82"})
  void theDocumentedTableIsTheRegistry() throws Exception {
    try (Rig rig = Rig.open(folder, "workers=2")) {
      Golden.matches(
          "docs/concurrency/rewarder.md",
          """
          # Concurrency of the rewarder

          Written by `ConcurrencyTableTest` from the registry of a running service; `-Dron.golden=write` writes it anew.

          `pieces` has room for one piece for each worker; here there are two workers.

          """
              + RegistryTable.markdown(rig.scope.registry(), rig.scope.metrics())
              + TopologyDiagram.markdown(
                  rig.scope.registry(),
                  "http -> work_req -> scheduler",
                  "reload -> settings -> scheduler",
                  "reload -> settings -> worker-N",
                  "scheduler -> work -> worker-N",
                  "http -> work -> worker-N",
                  "worker-N -> pieces -> worker-N",
                  "worker-N -> results -> writer",
                  "writer -> intents -> emitter",
                  "writer -> events -> health",
                  "emitter -> outbox-journal -> outbox-flush",
                  "outbox-flush -> outbox-journal-flushed -> emitter",
                  "emitter -> ledger-journal -> ledger-flush",
                  "ledger-flush -> ledger-journal-flushed -> emitter"));
    }
  }
}
