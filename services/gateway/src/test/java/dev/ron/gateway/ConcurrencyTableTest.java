package dev.ron.gateway;

import dev.ron.kernel.registry.RegistryTable;
import dev.ron.testkit.Golden;
import org.junit.jupiter.api.Test;

/** The documentation's table of tasks, channels and locks is what the service registers. */
final class ConcurrencyTableTest {
  @Test
  void theDocumentedTableIsTheRegistry() throws Exception {
    try (Rig rig = Rig.open("drr.workers=2")) {
      Golden.matches(
          "docs/concurrency/gateway.md",
          """
          # Concurrency of the gateway

          Written by `ConcurrencyTableTest` from the registry of a running service; `-Dron.golden=write` writes it anew.

          """
              + RegistryTable.markdown(rig.scope.registry()));
    }
  }
}
