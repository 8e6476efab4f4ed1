package dev.ron.node.cli;

import dev.ron.client.MailboxClient.Sent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Sends one message to a running mailbox.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "send", description = "Send a message; the payload is --file or standard input.")
public final class SendCommand implements Callable<Integer> {
  @Mixin private final MailboxOptions mailbox = new MailboxOptions();

  @Parameters(paramLabel = "TOPIC")
  private String topic = "";

  @Option(
      names = "--key",
      required = true,
      description = "The idem_key: the same one again is the same message.")
  private String key = "";

  @Option(names = "--group", defaultValue = "", description = "For fairness within the topic.")
  private String group = "";

  @Option(names = "--delay-ms", defaultValue = "0", description = "Not ready before that.")
  private long delayMillis;

  @Option(names = "--file", description = "The payload.")
  private @Nullable Path file;

  @Override
  public Integer call() throws IOException, InterruptedException {
    byte[] payload = file == null ? System.in.readAllBytes() : Files.readAllBytes(file);
    Duration delay = Duration.ofMillis(delayMillis);
    return mailbox.print(
        to -> {
          Sent sent = to.send(topic, key, group, delay, payload);
          return mailbox.isForPeople() ? words(sent) : CommandClient.json(sent);
        });
  }

  static String words(Sent sent) {
    return sent.duplicate()
        ? "that key was sent before, as %s; nothing is sent twice".formatted(sent.msgId())
        : "sent " + sent.msgId();
  }
}
