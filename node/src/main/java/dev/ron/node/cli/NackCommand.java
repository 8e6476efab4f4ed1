package dev.ron.node.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Gives one message back to a running mailbox.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "nack", description = "Say that a message was not handled; it comes again.")
public final class NackCommand implements Callable<Integer> {
  @Mixin private final MailboxOptions mailbox = new MailboxOptions();

  @Parameters(paramLabel = "MSG_ID")
  private String id = "";

  @Option(names = "--receipt", defaultValue = "", description = "Refused if it is a stale one.")
  private String receipt = "";

  @Option(names = "--reason", defaultValue = "", description = "Kept with the message.")
  private String reason = "";

  @Option(names = "--delay-ms", defaultValue = "-1", description = "A time is drawn if not given.")
  private long delayMillis;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return mailbox.print(
        to -> {
          to.nack(
              id,
              receipt.isEmpty() ? null : receipt,
              reason.isEmpty() ? null : reason,
              delayMillis < 0 ? null : Duration.ofMillis(delayMillis));
          return mailbox.done("given back: " + id);
        });
  }
}
