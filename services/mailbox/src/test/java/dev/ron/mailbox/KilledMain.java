package dev.ron.mailbox;

import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A mailbox in a process of its own, which says its port and waits to be killed. */
final class KilledMain {
  private KilledMain() {}

  public static void main(String[] args) throws Exception {
    var scope = Scope.of("mailbox", World.real(Log.silent()));
    // In the end everything that is left is in flight at once.
    var settings =
        Map.of(
            "shard_capacity", "100000",
            "global_inflight", "100000",
            "snapshot_bytes", "64KiB",
            "shard_count", args[1]);
    MailboxConfig config = Rig.config(Path.of(args[0]), settings);
    MailboxService.Wired wired = MailboxService.wire(config, scope, Limits.OPEN, null);
    wired.supervisor().start(scope);
    System.out.println(wired.door().port());
    new CountDownLatch(1).await();
  }
}
