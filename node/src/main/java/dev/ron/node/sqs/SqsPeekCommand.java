package dev.ron.node.sqs;

import dev.ron.node.cli.CommandClient;
import dev.ron.node.profile.TextTable;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Shows messages without receiving them: they stay as they are, and no receive is counted.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "peek", description = "Messages of a queue, without receiving them.")
final class SqsPeekCommand implements Callable<Integer> {
  private static final List<String> HEAD = List.of("ID", "SENT", "RECEIVES", "GROUP", "BODY");
  private static final int BODY_SHOWN_MAX = 60;

  @Mixin private final SqsOptions sqs = new SqsOptions();

  @Parameters(paramLabel = "QUEUE", description = "A name, or a URL.")
  private String queue = "";

  @Option(names = "--max", defaultValue = "10", description = "So many at most; ${DEFAULT-VALUE}.")
  private int max = 10;

  @Option(names = "--all", description = "Also those in flight and those that are delayed.")
  private boolean all;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Map<String, @Nullable Object>> messages;
    try (SqsOptions.Door door = sqs.open()) {
      messages = door.peek(queue, all);
    }
    var rows = new ArrayList<List<String>>();
    for (Map<String, @Nullable Object> each : messages.subList(0, Math.min(max, messages.size()))) {
      if (sqs.isForPeople()) {
        rows.add(row(each));
      } else {
        System.out.println(CommandClient.json(shown(each)));
      }
    }
    if (!sqs.isForPeople()) {
      return 0;
    }
    System.out.println(
        rows.isEmpty()
            ? "no messages"
            : TextTable.of(HEAD, rows, TextTable.coloured(System.getenv())));
    return 0;
  }

  /** Its handle is good for nothing, so it is left out. */
  private static Map<String, @Nullable Object> shown(Map<String, @Nullable Object> message) {
    var shown = new LinkedHashMap<String, @Nullable Object>(message);
    shown.remove("ReceiptHandle");
    return shown;
  }

  private static List<String> row(Map<String, @Nullable Object> message) {
    String sent = SqsOptions.text(message, "Attributes", "SentTimestamp");
    String body = String.valueOf(message.get("Body")).replaceAll("\\p{Cntrl}+", " ");
    return List.of(
        String.valueOf(message.get("MessageId")),
        sent.isEmpty() ? "" : Instant.ofEpochMilli(Long.parseLong(sent)).toString(),
        SqsOptions.text(message, "Attributes", "ApproximateReceiveCount"),
        SqsOptions.text(message, "Attributes", "MessageGroupId"),
        body.length() > BODY_SHOWN_MAX ? body.substring(0, BODY_SHOWN_MAX) + "..." : body);
  }
}
