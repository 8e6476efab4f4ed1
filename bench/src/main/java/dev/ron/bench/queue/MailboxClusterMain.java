package dev.ron.bench.queue;

import java.util.Map;

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
   * @param args the port, the folder, the machine's name, the peers as a TOML table, and in how
   *     many groups the shards are
   */
  public static void main(String[] args) throws Exception {
    MailboxTargetMain.serve(
        args[0],
        args[1],
        Map.of(
            "mailbox.cluster.engine",
            "ratis",
            "mailbox.cluster.node",
            args[2],
            "mailbox.cluster.peers",
            args[3],
            "mailbox.cluster.groups",
            args[4]));
  }
}
