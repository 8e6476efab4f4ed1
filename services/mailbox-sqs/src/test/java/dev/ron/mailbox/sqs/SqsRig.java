package dev.ron.mailbox.sqs;

import dev.ron.capability.Verifier;
import dev.ron.config.Settings;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.DrainReport;
import dev.ron.kernel.supervise.Tree;
import dev.ron.mailbox.MailboxConfig;
import dev.ron.mailbox.MailboxService;
import dev.ron.testkit.UnitLedger;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A mailbox with its SQS door, on free ports.
 *
 * <p>Threading: owned by the test; requests may be made from any thread.
 */
public final class SqsRig implements AutoCloseable {
  private final UnitLedger ledger = new UnitLedger();
  private final Scope scope = Scope.of("mailbox", World.real(Log.silent())).metered(ledger);
  private final Scope sqsScope = Scope.of("sqs", World.real(Log.silent())).metered(ledger);
  private final Tree tree;
  private final int port;

  /**
   * @param folder null keeps nothing
   * @param verifier null takes every key
   * @param pairs settings of the mailbox as {@code key=value}
   */
  public SqsRig(@Nullable Path folder, @Nullable Verifier verifier, String... pairs)
      throws Exception {
    this(folder, verifier, Limits.OPEN, pairs);
  }

  SqsRig(@Nullable Path folder, @Nullable Verifier verifier, Limits limits, String... pairs)
      throws Exception {
    var flags = new HashMap<String, String>();
    flags.put("mailbox.bind", "127.0.0.1:0");
    flags.put("mailbox.shard_count", "2");
    flags.put("mailbox.amnesia", Boolean.toString(folder == null));
    if (folder != null) {
      flags.put("mailbox.data", folder.toString());
    }
    for (String pair : pairs) {
      int equals = pair.indexOf('=');
      flags.put("mailbox." + pair.substring(0, equals), pair.substring(equals + 1));
    }
    Settings settings = Settings.load(flags, Map.of(), Optional.empty());
    var mailbox = settings.read("mailbox", MailboxConfig::read);
    var config =
        settings.read(
            "mailbox", section -> MailboxSqsConfig.read(section.section("sqs"), "127.0.0.1:0"));
    settings.check();
    MailboxService.Wired wired =
        MailboxService.wire(mailbox.value(), scope, limits, List.of(), verifier);
    MailboxSqsService.Wired door =
        MailboxSqsService.wire(
            config.value(), wired.queues(), sqsScope, limits, List.of(), verifier);
    tree = wired.supervisor().branch(door.supervisor(), sqsScope).start(scope);
    port = door.door().port();
  }

  public int port() {
    return port;
  }

  UnitLedger ledger() {
    return ledger;
  }

  Scope sqsScope() {
    return sqsScope;
  }

  public SqsProbe json() {
    return new SqsProbe(port, false);
  }

  public SqsProbe query() {
    return new SqsProbe(port, true);
  }

  DrainReport drain() throws InterruptedException {
    return tree.drain();
  }

  @Override
  public void close() {
    try {
      tree.drain();
    } catch (InterruptedException stop) {
      throw new AssertionError("interrupted while draining", stop);
    }
  }
}
