package dev.ron.storage.s3;

import dev.ron.testkit.Golden;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The published table of every task and channel of the S3 door on several machines. */
@Timeout(120)
final class ClusterConcurrencyTableTest {
  @TempDir private Path folder;

  @Test
  void theTableInTheDocumentationIsTheTreeThatRuns() throws Exception {
    try (var machines = new DoorMachines(folder, "pools.get=8", "pools.put=32", "pools.peer=16")) {
      machines.start("a");
      Golden.matches(
          "docs/concurrency/s3.md",
          """
          # Concurrency of the S3 door on several machines

          Written by `ClusterConcurrencyTableTest` from the registry of one of three machines with one data directory;
          `-Dron.golden=write` writes it anew. Blocks are kept as the storage keeps its objects on several nodes.
          `names` brings changes into the log and answers them; `burial` deletes this machine's bytes of blocks that are
          condemned; `garbage`, `former-machines`, `lifecycle` and `orphans` work on the machine that leads. Doors are
          not tasks: `nodes` for blocks, `raft` for the log of names, `http` for clients.

          """
              + machines.machine("a").registry());
    }
  }
}
