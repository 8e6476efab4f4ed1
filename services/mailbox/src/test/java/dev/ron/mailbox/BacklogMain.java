package dev.ron.mailbox;

import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.log.LogLine;
import dev.ron.kernel.time.SystemTime;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A mailbox with room for a large backlog, which says its port once it is open. */
final class BacklogMain {
  private BacklogMain() {}

  public static void main(String[] args) throws Exception {
    var time = new SystemTime();
    var scope =
        Scope.of(
            "mailbox",
            World.real(new Log("mailbox", LogLine.Level.INFO, time::wall, System.err::println)));
    var settings =
        Map.of(
            "shard_capacity", "10000000",
            "index_bytes", "320MiB",
            "idem_bytes", "320MiB",
            "global_inflight", "100000",
            "retention.disk_bytes", "40GiB");
    MailboxConfig config = Rig.config(Path.of(args[0]), settings);
    MailboxService.Wired wired = MailboxService.wire(config, scope, Limits.OPEN, null);
    wired.supervisor().start(scope);
    System.out.println(wired.door().port());
    new CountDownLatch(1).await();
  }
}
