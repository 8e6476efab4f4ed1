package dev.ron.node.cli;

import dev.ron.kernel.registry.RegistryJson;
import java.io.IOException;
import java.util.ArrayList;
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
    var fields = new ArrayList<String>();
    if (!receipt.isEmpty()) {
      fields.add("\"receipt\":" + RegistryJson.quoted(receipt));
    }
    if (!reason.isEmpty()) {
      fields.add("\"reason\":" + RegistryJson.quoted(reason));
    }
    if (delayMillis >= 0) {
      fields.add("\"delay_ms\":" + delayMillis);
    }
    return mailbox.post("/v1/nack/" + id, "{" + String.join(",", fields) + "}");
  }
}
