package dev.ron.gateway;

import dev.ron.kernel.registry.RegistryTable;
import dev.ron.testkit.Golden;
import dev.ron.testkit.SeedRow;
import dev.ron.testkit.TopologyDiagram;
import org.junit.jupiter.api.Test;

/**
 * The documentation's table of tasks, channels, locks and metrics is what the service registers.
 */
final class ConcurrencyTableTest {
  @Test
  @SeedRow({"G04", "G20", "G21", "G29", "G85", "G95", "G91", "G92"})
  void theDocumentedTableIsTheRegistry() throws Exception {
    try (Rig rig = Rig.open("drr.workers=2")) {
      Golden.matches(
          "docs/concurrency/gateway.md",
          """
          # Concurrency of the gateway

          Written by `ConcurrencyTableTest` from the registry of a running service; `-Dron.golden=write` writes it anew.

          """
              + RegistryTable.markdown(rig.scope.registry(), rig.scope.metrics())
              + TopologyDiagram.markdown(
                  rig.scope.registry(),
                  "http -> work -> scheduler",
                  "scheduler -> lines -> scheduler",
                  "scheduler -> sched -> worker-N",
                  "http -> events -> event-log",
                  "http -> shutdown -> prober",
                  "ticker -> metrics_tick -> prober",
                  "reload -> routing -> http"));
    }
  }
}
