package dev.ron.rewarder;

import dev.ron.kernel.registry.RegistryTable;
import dev.ron.testkit.Golden;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The documentation's table of tasks, channels, locks and metrics is what the service registers.
 */
final class ConcurrencyTableTest {
  @TempDir private Path folder;

  @Test
  void theDocumentedTableIsTheRegistry() throws Exception {
    try (Rig rig = Rig.open(folder, "workers=2")) {
      Golden.matches(
          "docs/concurrency/rewarder.md",
          """
          # Concurrency of the rewarder

          Written by `ConcurrencyTableTest` from the registry of a running service; `-Dron.golden=write` writes it anew.

          `pieces` has room for one piece for each worker; here there are two workers.

          """
              + RegistryTable.markdown(rig.scope.registry(), rig.scope.metrics()));
    }
  }
}
