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
import dev.ron.mailbox.cluster.MailboxClusterConfig;
import dev.ron.mailbox.cluster.MailboxClusterService;
import dev.ron.testkit.FreePorts;
import dev.ron.testkit.Golden;
import dev.ron.testkit.SeedRow;
import dev.ron.testkit.TopologyDiagram;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The documentation's tables of tasks, channels, locks and metrics are what the service registers.
 */
final class ConcurrencyTableTest {
  private static final String[] FLOWS = {
    "http -> inbox-N -> shard-N",
    "retention -> inbox-N -> shard-N",
    "moves -> inbox-N -> shard-N",
    "snapshot -> inbox-N -> shard-N",
    "shard-N -> mailbox-journal -> flush",
    "flush -> mailbox-journal-flushed -> shard-N",
    "shard-N -> ready-N -> http",
    "shard-N -> captures -> snapshot",
    "shard-N -> events -> events",
  };

  @TempDir private Path folder;

  @Test
  @SeedRow({"M22", "M103", "M104", "M110"})
  void theDocumentedTablesAreTheRegistries() throws Exception {
    String peer = "{ a = \"127.0.0.1:%d\" }".formatted(FreePorts.one());
    String alone = registered("alone", Map.of());
    String across = registered("across", Map.of("cluster.engine", "ratis", "cluster.peers", peer));
    Golden.matches(
        "docs/concurrency/mailbox.md",
        """
        # Concurrency of the mailbox

        Written by `ConcurrencyTableTest` from the registry of a running service; `-Dron.golden=write` writes it anew.

        ## A machine alone

        %s
        ## One of several machines

        With `cluster.engine = "ratis"`. `N` is a shard in `shard-N`, `replayed-N`, `inbox-N` and `ready-N`, and a
        group elsewhere. Besides, each question of another machine has a virtual thread (`mailbox/answer`, 1024 at
        most), a machine that joins has one for each group's state (`mailbox/raft/fetch`), and Ratis has threads of
        its own for each group: one that applies, one that writes its log, one for each follower while it leads. They
        meet ours in `Replica` and nowhere else.

        %s\
        """
            .formatted(alone, across));
  }

  private String registered(String name, Map<String, String> settings) throws Exception {
    var scope = Scope.of("mailbox", World.real(Log.silent()));
    var ring = KeyRing.generate(new SplittableRandom(1));
    var verifier = new Verifier(new Trust(ring, Revocations.NONE));
    MailboxClusterConfig config =
        Rig.config(folder.resolve(name), settings, MailboxClusterConfig::read);
    MailboxService.Wired wired =
        config.isShared()
            ? MailboxClusterService.wire(config, scope, Limits.OPEN, List.of(), verifier, Map::of)
            : MailboxService.wire(config.mailbox(), scope, Limits.OPEN, verifier);
    var tree = wired.supervisor().start(scope);
    String table =
        config.isShared()
            ? RegistryTable.markdown(scope.registry())
            : RegistryTable.markdown(scope.registry(), scope.metrics())
                + TopologyDiagram.markdown(scope.registry(), FLOWS).replace("## ", "### ");
    tree.drain();
    return table;
  }
}
