package dev.ron.mailbox;

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
    try (Rig rig = Rig.open(folder)) {
      Golden.matches(
          "docs/concurrency/mailbox.md",
          """
          # Concurrency of the mailbox

          Written by `ConcurrencyTableTest` from the registry of a running service; `-Dron.golden=write` writes it anew.

          """
              + RegistryTable.markdown(rig.scope.registry()));
    }
  }
}
