package dev.ron.mailbox;

import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.mailbox.cluster.MailboxClusterConfig;
import dev.ron.mailbox.cluster.MailboxClusterService;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One machine of a cluster in a process of its own, which says its port and drains on SIGTERM. */
final class ClusterMain {
  private ClusterMain() {}

  /**
   * @param args folder, node, peers as one TOML table, bind for the others, bind for clients, then
   *     settings
   */
  public static void main(String[] args) throws Exception {
    boolean loud = Boolean.getBoolean("ron.loud");
    var scope = Scope.of("mailbox", World.real(loud ? loud(args[1]) : Log.silent()));
    Map<String, String> settings = new HashMap<>();
    settings.put("shard_capacity", "100000");
    settings.put("snapshot_bytes", "256KiB");
    settings.put("cluster.engine", "ratis");
    settings.put("cluster.node", args[1]);
    settings.put("cluster.peers", args[2]);
    settings.put("cluster.bind", args[3]);
    settings.put("cluster.election", "600ms");
    settings.put("cluster.log_segment", "256KiB");
    settings.put("cluster.log_entries", "500");
    settings.put("bind", args[4]);
    for (int i = 5; i < args.length; i++) {
      settings.put(
          args[i].substring(0, args[i].indexOf('=')), args[i].substring(args[i].indexOf('=') + 1));
    }
    MailboxClusterConfig config =
        Rig.config(Path.of(args[0]), settings, MailboxClusterConfig::read);
    MailboxService.Wired wired =
        MailboxClusterService.wire(config, scope, Limits.OPEN, List.of(), null, Map::of);
    Tree tree = wired.supervisor().start(scope);
    System.out.println(wired.door().port());
    var over = new Gate(scope.time());
    var drained = new Gate(scope.time());
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  over.open();
                  try {
                    drained.await(Deadline.NEVER);
                  } catch (InterruptedException _) {
                    // the JVM ends anyway
                  }
                }));
    over.await(Deadline.NEVER);
    tree.drain();
    drained.open();
  }

  private static Log loud(String node) {
    return new Log(
        "",
        dev.ron.kernel.log.LogLine.Level.INFO,
        java.time.Instant::now,
        line -> System.err.println(node + " " + line));
  }
}
