package dev.ron.mailbox;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.registry.RegistryTable;
import dev.ron.testkit.Golden;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documentation's table of tasks, channels and locks is what the service registers. */
final class ConcurrencyTableTest {
  @TempDir private Path folder;

  @Test
  void theDocumentedTableIsTheRegistry() throws Exception {
    var scope = Scope.of("mailbox", World.real(Log.silent()));
    var ring = KeyRing.generate(new SplittableRandom(1));
    var tree =
        MailboxService.wire(
                Rig.config(folder, Map.of()),
                scope,
                Limits.OPEN,
                new Verifier(new Trust(ring, Revocations.NONE)),
                () -> Revocations.NONE)
            .supervisor()
            .start(scope);
    Golden.matches(
        "docs/concurrency/mailbox.md",
        """
        # Concurrency of the mailbox

        Written by `ConcurrencyTableTest` from the registry of a running service; `-Dron.golden=write` writes it anew.

        """
            + RegistryTable.markdown(scope.registry()));
    tree.drain();
  }
}
