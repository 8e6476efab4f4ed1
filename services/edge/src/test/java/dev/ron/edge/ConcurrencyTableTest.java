package dev.ron.edge;

import dev.ron.kernel.registry.RegistryTable;
import dev.ron.testkit.Golden;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documentation's table of tasks, channels and locks is what the service registers. */
final class ConcurrencyTableTest {
  @TempDir private Path folder;

  @Test
  void theDocumentedTableIsTheRegistry() throws Exception {
    try (Rig rig = Rig.open(folder, "packs=[]", "fill.workers=2")) {
      Golden.matches(
          "docs/concurrency/edge.md",
          """
          # Concurrency of the edge

          Written by `ConcurrencyTableTest` from the registry of a running service with two workers; `-Dron.golden=write` writes it anew.

          """
              + RegistryTable.markdown(rig.scope.registry()));
    }
  }
}
