package dev.ron.node.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.client.MailboxClient;
import dev.ron.http.json.Json;
import dev.ron.http.json.JsonTree;
import dev.ron.node.profile.Terminal;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the mailbox is and the capability to show it; and one call to it. */
final class MailboxOptions {
  /** What the mailbox answers to a word about a message. */
  private static final String OK = "{\"ok\":true}";

  static final Duration LIMIT = Duration.ofSeconds(60);

  @Option(
      names = "--url",
      defaultValue = "${env:RON_URL_MAILBOX:-http://127.0.0.1:8082}",
      description = "The mailbox; ${DEFAULT-VALUE} if not given.")
  private String url = "http://127.0.0.1:8082";

  @Option(
      names = "--cap",
      defaultValue = "${env:RON_CAP:-}",
      description = "The capability to show; the variable RON_CAP if not given.")
  private String capability = "";

  @Option(names = "--json", description = "The mailbox's own JSON, as in a pipe.")
  private boolean json;

  String capability() {
    return capability;
  }

  boolean isJson() {
    return json;
  }

  /** Whether a person reads the answer. */
  boolean isForPeople() {
    return !json && Terminal.out();
  }

  /** The answer to a word about a message. */
  String done(String words) {
    return isForPeople() ? words : OK;
  }

  /** One call of a command, answered as text to print. */
  @FunctionalInterface
  interface MailboxCall {
    String on(MailboxClient mailbox) throws IOException, InterruptedException;
  }

  /** Prints the answer; 0 if it was a good one. */
  int print(MailboxCall call) throws IOException, InterruptedException {
    try (var client = new MailboxClient(CommandClient.to("mailbox", url, capability))) {
      return CommandClient.print(json, () -> call.on(client));
    }
  }

  /** What a person is told of an answer. */
  @FunctionalInterface
  interface Words {
    String of(Map<String, @Nullable Object> answer);
  }

  int get(String path, Words words) throws IOException, InterruptedException {
    return call("GET", path, new byte[0], words);
  }

  /**
   * @param form written as JSON
   */
  int post(String path, Object form, Words words) throws IOException, InterruptedException {
    return call("POST", path, Json.plain().write(form), words);
  }

  int call(String method, String path, byte[] form, Words words)
      throws IOException, InterruptedException {
    return print(
        mailbox -> {
          String answer = mailbox.call(method, path, form, LIMIT);
          return isForPeople() ? words.of(JsonTree.object(answer.getBytes(UTF_8))) : answer;
        });
  }
}
