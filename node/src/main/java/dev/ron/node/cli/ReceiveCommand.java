package dev.ron.node.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Receives messages of one topic from a running mailbox.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "recv", description = "Receive messages, and wait for the first if asked to.")
public final class ReceiveCommand implements Callable<Integer> {
  @Mixin private final MailboxOptions mailbox = new MailboxOptions();

  @Parameters(paramLabel = "TOPIC")
  private String topic = "";

  @Option(names = "--max", defaultValue = "1", description = "Messages at most.")
  private int max;

  @Option(names = "--wait-ms", defaultValue = "0", description = "How long to wait for one.")
  private long waitMillis;

  @Option(
      names = "--visibility-ms",
      defaultValue = "5000",
      description = "Visibility timeout: how long they stay hidden from other consumers.")
  private long visibilityMillis;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Duration visibility = Duration.ofMillis(visibilityMillis);
    Duration wait = Duration.ofMillis(waitMillis);
    return mailbox.print(
        from -> CommandClient.json(Map.of("messages", from.receive(topic, max, visibility, wait))));
  }
}
