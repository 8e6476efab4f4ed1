package dev.ron.node.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Acknowledges one message of a running mailbox.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "ack", description = "Say that a message was handled; final.")
public final class AckCommand implements Callable<Integer> {
  @Mixin private final MailboxOptions mailbox = new MailboxOptions();

  @Parameters(paramLabel = "MSG_ID")
  private String id = "";

  @Option(names = "--receipt", defaultValue = "", description = "Refused if it is a stale one.")
  private String receipt = "";

  @Override
  public Integer call() throws IOException, InterruptedException {
    return mailbox.print(
        to -> {
          to.ack(id, receipt.isEmpty() ? null : receipt);
          return mailbox.done("acknowledged " + id);
        });
  }
}
