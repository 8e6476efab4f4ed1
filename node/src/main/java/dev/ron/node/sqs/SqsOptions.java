package dev.ron.node.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.client.ServiceClient;
import dev.ron.client.ServiceRefusal;
import dev.ron.http.Headers;
import dev.ron.http.json.Json;
import dev.ron.http.json.JsonTree;
import dev.ron.node.cli.CommandClient;
import dev.ron.node.profile.Terminal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the SQS door is and the capability to show it; and one call to it. */
final class SqsOptions {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Option(
      names = {"--endpoint", "--url"},
      defaultValue = "${env:RON_URL_SQS:-http://127.0.0.1:8086}",
      description = "The SQS door; ${DEFAULT-VALUE} if not given.")
  private String endpoint = "http://127.0.0.1:8086";

  @Option(
      names = "--cap",
      defaultValue = "${env:RON_CAP:-}",
      description = "The capability to show; the variable RON_CAP if not given.")
  private String capability = "";

  @Option(names = "--json", description = "One JSON object a line, as in a pipe.")
  private boolean json;

  /** Whether a person reads the answer. */
  boolean isForPeople() {
    return !json && Terminal.out();
  }

  /** The door, open for some calls. */
  Door open() throws IOException {
    return new Door(CommandClient.to("sqs", endpoint, capability));
  }

  /** Asks the door; close it to let its connections go. */
  record Door(ServiceClient client) implements AutoCloseable {
    /** One action of the model with its members, answered with members. */
    Map<String, @Nullable Object> call(String action, Map<String, Object> members)
        throws IOException, InterruptedException {
      return ask("/", action, Json.plain().write(members));
    }

    /** Messages as they lie in a queue. */
    List<Map<String, @Nullable Object>> peek(String queue, boolean all)
        throws IOException, InterruptedException {
      byte[] members =
          Json.plain()
              .write(
                  Map.of(
                      "QueueUrl", queue,
                      "ShowInvisible", String.valueOf(all),
                      "ShowDelayed", String.valueOf(all)));
      return trees(ask("/_aws/sqs/messages", "ReceiveMessage", members), "Messages");
    }

    private Map<String, @Nullable Object> ask(String path, String action, byte[] body)
        throws IOException, InterruptedException {
      Headers headers =
          new Headers(2)
              .add("Content-Type", "application/x-amz-json-1.0")
              .add("X-Amz-Target", "AmazonSQS." + action);
      try {
        byte[] answer = client.bytes("POST", path, headers, body, LIMIT);
        return answer.length == 0 ? Map.of() : JsonTree.object(answer);
      } catch (ServiceRefusal refused) {
        throw new IOException(words(refused), refused);
      }
    }

    /** What the door said, in its own words. */
    private static String words(ServiceRefusal refused) throws IOException {
      byte[] problem = refused.problem().getBytes(UTF_8);
      if (problem.length > 0 && problem[0] == '{') {
        Map<String, @Nullable Object> members = JsonTree.object(problem);
        String type = String.valueOf(members.get("__type"));
        return "%s: %s".formatted(type.substring(type.indexOf('#') + 1), members.get("message"));
      }
      return String.valueOf(refused.getMessage());
    }

    @Override
    public void close() {
      client.close();
    }
  }

  /** Members of an answer that are objects. */
  @SuppressWarnings("unchecked") // the reader of JSON makes no other maps
  static List<Map<String, @Nullable Object>> trees(
      Map<String, @Nullable Object> members, String name) {
    return members.get(name) instanceof List<?> list
        ? list.stream().map(each -> (Map<String, @Nullable Object>) each).toList()
        : List.of();
  }

  /** Members of an answer that are texts by name. */
  static String text(Map<String, @Nullable Object> members, String map, String name) {
    return members.get(map) instanceof Map<?, ?> inner && inner.get(name) instanceof String text
        ? text
        : "";
  }
}
