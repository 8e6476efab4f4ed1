package dev.ron.node.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.node.cli.CommandClient;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Sends one message to a queue.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "send", description = "Send a message; without a BODY, standard input.")
final class SqsSendCommand implements Callable<Integer> {
  @Mixin private final SqsOptions sqs = new SqsOptions();

  @Parameters(index = "0", paramLabel = "QUEUE", description = "A name, or a URL.")
  private String queue = "";

  @Parameters(index = "1", paramLabel = "BODY", arity = "0..1")
  private @Nullable String body;

  @Option(names = "--group", description = "Its MessageGroupId, which a FIFO queue needs.")
  private @Nullable String group;

  @Option(names = "--dedup", description = "Its MessageDeduplicationId, of a FIFO queue.")
  private @Nullable String dedup;

  @Option(names = "--delay", paramLabel = "SECONDS", description = "Not ready before that.")
  private @Nullable Integer delay;

  @Option(
      names = "--attribute",
      paramLabel = "NAME=TEXT",
      description = "Of the message. May come more than once.")
  private Map<String, String> attributes = new LinkedHashMap<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    var members = new LinkedHashMap<String, Object>();
    members.put("QueueUrl", queue);
    members.put("MessageBody", body == null ? new String(System.in.readAllBytes(), UTF_8) : body);
    put(members, "MessageGroupId", group);
    put(members, "MessageDeduplicationId", dedup);
    put(members, "DelaySeconds", delay);
    var typed = new LinkedHashMap<String, Object>();
    attributes.forEach(
        (name, text) -> typed.put(name, Map.of("DataType", "String", "StringValue", text)));
    members.put("MessageAttributes", typed);
    try (SqsOptions.Door door = sqs.open()) {
      String id = String.valueOf(door.call("SendMessage", members).get("MessageId"));
      System.out.println(sqs.isForPeople() ? id : CommandClient.json(Map.of("id", id)));
      return 0;
    }
  }

  private static void put(Map<String, Object> members, String name, @Nullable Object value) {
    if (value != null) {
      members.put(name, value);
    }
  }
}
