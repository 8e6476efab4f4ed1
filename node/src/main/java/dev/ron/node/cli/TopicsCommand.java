package dev.ron.node.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.json.JsonTree;
import dev.ron.node.profile.TextTable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Shows the topics of a running mailbox.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "topics", description = "Depth, in flight and age of every topic.")
public final class TopicsCommand implements Callable<Integer> {
  private static final List<String> HEAD =
      List.of("TOPIC", "READY", "DELAYED", "IN FLIGHT", "DEAD", "OLDEST");

  @Mixin private final MailboxOptions mailbox = new MailboxOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    return mailbox.print(
        from -> {
          String answer = from.call("GET", "/v1/topics", new byte[0], MailboxOptions.LIMIT);
          return mailbox.isForPeople()
              ? table(answer, TextTable.coloured(System.getenv()))
              : answer;
        });
  }

  /** The mailbox's answer as rows. */
  static String table(String answer, boolean coloured) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    if (JsonTree.object(answer.getBytes(UTF_8)).get("topics") instanceof List<?> topics) {
      for (Object each : topics) {
        if (each instanceof Map<?, ?> topic) {
          rows.add(
              List.of(
                  String.valueOf(topic.get("topic")),
                  String.valueOf(topic.get("ready")),
                  String.valueOf(topic.get("delayed")),
                  String.valueOf(topic.get("in_flight")),
                  String.valueOf(topic.get("dead")),
                  topic.get("oldest_age_ms") instanceof Number age && age.longValue() > 0
                      ? TextTable.ago(Duration.ofMillis(age.longValue()))
                      : ""));
        }
      }
    }
    return rows.isEmpty() ? "no topics yet" : TextTable.of(HEAD, rows, coloured);
  }
}
