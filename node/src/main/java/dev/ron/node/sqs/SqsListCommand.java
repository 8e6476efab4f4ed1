package dev.ron.node.sqs;

import dev.ron.node.cli.CommandClient;
import dev.ron.node.profile.TextTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * Lists queues with what is in them.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "ls", description = "Queues, with what is ready, delayed and in flight in them.")
final class SqsListCommand implements Callable<Integer> {
  private static final List<String> HEAD =
      List.of("QUEUE", "READY", "DELAYED", "IN FLIGHT", "DEAD LETTERS TO", "URL");
  private static final int PAGE = 100;

  @Mixin private final SqsOptions sqs = new SqsOptions();

  @Parameters(paramLabel = "PREFIX", arity = "0..1", description = "Only names that begin so.")
  private @Nullable String prefix;

  @Override
  public Integer call() throws IOException, InterruptedException {
    var rows = new ArrayList<List<String>>();
    try (SqsOptions.Door door = sqs.open()) {
      String next = "";
      do {
        Map<String, @Nullable Object> page = door.call("ListQueues", asked(next));
        if (page.get("QueueUrls") instanceof List<?> urls) {
          for (Object url : urls) {
            row(door, String.valueOf(url), rows);
          }
        }
        next = page.get("NextToken") instanceof String token ? token : "";
      } while (!next.isEmpty());
    }
    if (sqs.isForPeople()) {
      System.out.println(
          rows.isEmpty()
              ? "no queues"
              : TextTable.of(HEAD, rows, TextTable.coloured(System.getenv())));
    }
    return 0;
  }

  private Map<String, Object> asked(String next) {
    var members = new LinkedHashMap<String, Object>();
    members.put("MaxResults", PAGE);
    if (prefix != null) {
      members.put("QueueNamePrefix", prefix);
    }
    if (!next.isEmpty()) {
      members.put("NextToken", next);
    }
    return members;
  }

  /** In a pipe each is printed as it comes. */
  private void row(SqsOptions.Door door, String url, List<List<String>> rows)
      throws IOException, InterruptedException {
    Map<String, @Nullable Object> said =
        door.call("GetQueueAttributes", Map.of("QueueUrl", url, "AttributeNames", List.of("All")));
    String name = url.substring(url.lastIndexOf('/') + 1);
    String ready = SqsOptions.text(said, "Attributes", "ApproximateNumberOfMessages");
    String delayed = SqsOptions.text(said, "Attributes", "ApproximateNumberOfMessagesDelayed");
    String flying = SqsOptions.text(said, "Attributes", "ApproximateNumberOfMessagesNotVisible");
    String policy = SqsOptions.text(said, "Attributes", "RedrivePolicy");
    if (sqs.isForPeople()) {
      String dead = policy.replaceFirst(".*\"deadLetterTargetArn\":\"[^\"]*:([^\":]+)\".*", "$1");
      rows.add(List.of(name, ready, delayed, flying, dead, url));
      return;
    }
    var fields = new LinkedHashMap<String, Object>();
    fields.put("queue", name);
    fields.put("ready", Long.parseLong(ready));
    fields.put("delayed", Long.parseLong(delayed));
    fields.put("in_flight", Long.parseLong(flying));
    fields.put("redrive_policy", policy);
    fields.put("url", url);
    System.out.println(CommandClient.json(fields));
  }
}
