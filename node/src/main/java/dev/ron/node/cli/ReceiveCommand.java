package dev.ron.node.cli;

import dev.ron.client.Delivery;
import dev.ron.kernel.time.SystemTime;
import dev.ron.node.profile.TextTable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
  private static final int PAYLOAD_CHARS_MAX = 60;
  private static final List<String> HEAD =
      List.of("MESSAGE", "RECEIPT", "ATTEMPT", "AGE", "KEY", "PAYLOAD");

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
        from -> {
          List<Delivery> messages = from.receive(topic, max, visibility, wait);
          return mailbox.isForPeople()
              ? table(messages, new SystemTime().wall(), TextTable.coloured(System.getenv()))
              : CommandClient.json(Map.of("messages", messages));
        });
  }

  /** With what an ack needs: the id and the receipt. */
  static String table(List<Delivery> messages, Instant now, boolean coloured) {
    List<List<String>> rows = new ArrayList<>();
    for (Delivery message : messages) {
      Duration age = Duration.between(Instant.ofEpochMilli(message.ts()), now);
      rows.add(
          List.of(
              message.msgId(),
              message.receipt(),
              String.valueOf(message.attempt()),
              TextTable.ago(age),
              message.idemKey(),
              TextTable.payload(message.payload(), PAYLOAD_CHARS_MAX)));
    }
    return rows.isEmpty() ? "no message is ready" : TextTable.of(HEAD, rows, coloured);
  }
}
