package dev.ron.bench;

import dev.ron.config.Settings;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.mailbox.MailboxConfig;
import dev.ron.mailbox.MailboxService;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;

/**
 * One machine of a mailbox that three keep, as it comes, but for the rate cap and the room for
 * messages: every answer waits for two of the three disks.
 *
 * <p>It ends when its standard input does, and so with whoever started it.
 *
 * <p>Threading: owned by the main thread.
 */
public final class MailboxClusterMain {
  private MailboxClusterMain() {}

  /**
   * Serves until standard input ends.
   *
   * @param args the port, the folder, the machine's name, and the peers as a TOML table
   */
  public static void main(String[] args) throws Exception {
    var scope = Scope.of("mailbox", World.real(Log.silent()));
    Settings settings =
        Settings.load(
            Map.of(
                "mailbox.bind",
                "127.0.0.1:" + args[0],
                "mailbox.data",
                args[1],
                "mailbox.shard_capacity",
                "1000000",
                "mailbox.cluster.engine",
                "ratis",
                "mailbox.cluster.node",
                args[2],
                "mailbox.cluster.peers",
                args[3]),
            Map.of(),
            Optional.empty());
    var config = settings.read("mailbox", MailboxConfig::read);
    settings.check();
    var tree =
        MailboxService.wire(config.value(), scope, Limits.OPEN, null).supervisor().start(scope);
    System.in.transferTo(OutputStream.nullOutputStream());
    tree.drain();
  }
}
