package dev.ron.node.cli;

import static dev.ron.client.ServiceClient.escaped;

import dev.ron.kernel.time.SystemTime;
import dev.ron.node.profile.TextTable;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Dead letters of a running mailbox.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "dlq",
    description = "List, show, send again and drop dead letters.",
    subcommands = {
      DeadLetterCommand.Listing.class,
      DeadLetterCommand.Show.class,
      DeadLetterCommand.Reprocess.class,
      DeadLetterCommand.Drop.class
    })
public final class DeadLetterCommand {
  /** Without payloads. */
  @Command(name = "list", description = "All of them, without payloads.")
  static final class Listing implements Callable<Integer> {
    @Mixin private final MailboxOptions mailbox = new MailboxOptions();

    @Option(names = "--topic", defaultValue = "", description = "Of this topic only.")
    private String topic = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      return mailbox.get(
          "/v1/dlq" + (topic.isEmpty() ? "" : "?topic=" + escaped(topic)),
          answer ->
              DeadLetterTable.text(
                  answer, new SystemTime().wall(), TextTable.coloured(System.getenv())));
    }
  }

  /** With its payload. */
  @Command(name = "show", description = "One of them, with its payload.")
  static final class Show implements Callable<Integer> {
    @Mixin private final MailboxOptions mailbox = new MailboxOptions();

    @Parameters(paramLabel = "MSG_ID")
    private String id = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      return mailbox.get(
          "/v1/dlq/" + escaped(id), answer -> DeadLetterTable.one(answer, new SystemTime().wall()));
    }
  }

  /** By topic, so many, so fast. */
  @Command(name = "reprocess", description = "Send them again, from the first attempt on.")
  static final class Reprocess implements Callable<Integer> {
    @Mixin private final MailboxOptions mailbox = new MailboxOptions();

    @Option(names = "--topic", required = true, description = "Of this topic.")
    private String topic = "";

    @Option(names = "--limit", defaultValue = "100", description = "So many at most.")
    private int limit;

    @Option(names = "--per-second", defaultValue = "0", description = "0 for all at once.")
    private int perSecond;

    @Override
    public Integer call() throws IOException, InterruptedException {
      return mailbox.post(
          "/v1/dlq/reprocess",
          Map.of("topic", topic, "limit", limit, "per_second", perSecond),
          DeadLetterTable::reprocessed);
    }
  }

  /** For good. */
  @Command(name = "drop", description = "Let one go for good.")
  static final class Drop implements Callable<Integer> {
    @Mixin private final MailboxOptions mailbox = new MailboxOptions();

    @Parameters(paramLabel = "MSG_ID")
    private String id = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      return mailbox.call(
          "DELETE", "/v1/dlq/" + escaped(id), new byte[0], _ -> "dropped for good: " + id);
    }
  }
}
