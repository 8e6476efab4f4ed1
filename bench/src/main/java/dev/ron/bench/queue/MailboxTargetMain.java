package dev.ron.bench.queue;

import dev.ron.config.Settings;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.mailbox.MailboxService;
import dev.ron.mailbox.cluster.MailboxClusterConfig;
import dev.ron.mailbox.cluster.MailboxClusterService;
import dev.ron.mailbox.sqs.MailboxSqsConfig;
import dev.ron.mailbox.sqs.MailboxSqsService;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Our mailbox in a process of its own, as it comes, but for the rate cap and the room for messages:
 * every answer waits for the disk.
 *
 * <p>It ends when its standard input does, and so with whoever started it.
 *
 * <p>Threading: owned by the main thread.
 */
public final class MailboxTargetMain {
  private MailboxTargetMain() {}

  /**
   * Serves until standard input ends.
   *
   * @param args the port, the folder and the port of the SQS door
   */
  public static void main(String[] args) throws Exception {
    serve(args[0], args[1], Map.of("mailbox.sqs.bind", "127.0.0.1:" + args[2]));
  }

  /** With more settings than those. */
  static void serve(String port, String folder, Map<String, String> more) throws Exception {
    var scope = Scope.of("mailbox", World.real(Log.silent()));
    var all = new HashMap<>(more);
    all.put("mailbox.bind", "127.0.0.1:" + port);
    all.put("mailbox.data", folder);
    all.put("mailbox.shard_capacity", "1000000");
    Settings settings = Settings.load(all, Map.of(), Optional.empty());
    var draft = settings.read("mailbox", MailboxClusterConfig::read);
    var sqs =
        settings.read(
            "mailbox", section -> MailboxSqsConfig.read(section.section("sqs"), "127.0.0.1:0"));
    settings.check();
    MailboxClusterConfig config = draft.value();
    MailboxService.Wired wired =
        config.isShared()
            ? MailboxClusterService.wire(config, scope, Limits.OPEN, List.of(), null, Map::of)
            : MailboxService.wire(config.mailbox(), scope, Limits.OPEN, null);
    var tree = supervisor(wired, sqs.value(), scope, more).start(scope);
    System.in.transferTo(OutputStream.nullOutputStream());
    tree.drain();
  }

  /** With its SQS door if a port is named for it. */
  private static Supervisor supervisor(
      MailboxService.Wired wired, MailboxSqsConfig sqs, Scope scope, Map<String, String> more)
      throws IOException {
    if (!more.containsKey("mailbox.sqs.bind")) {
      return wired.supervisor();
    }
    var sqsScope = Scope.of("sqs", scope.world());
    MailboxSqsService.Wired door =
        MailboxSqsService.wire(sqs, wired.queues(), sqsScope, Limits.OPEN, List.of(), null);
    return wired.supervisor().branch(door.supervisor(), sqsScope);
  }
}
