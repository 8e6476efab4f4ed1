package dev.ron.node.cli;

import dev.ron.client.MailboxClient;
import dev.ron.http.json.Json;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Where the mailbox is and the capability to show it; and one call to it. */
final class MailboxOptions {
  /** What the mailbox answers to a word about a message. */
  static final String OK = "{\"ok\":true}";

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
    return !json && ProgressBar.watched();
  }

  /** One call of a command, answered as text to print. */
  @FunctionalInterface
  interface MailboxCall {
    String on(MailboxClient mailbox) throws IOException, InterruptedException;
  }

  /** Prints the answer; 0 if it was a good one. */
  int print(MailboxCall call) throws IOException, InterruptedException {
    try (var client = new MailboxClient(CommandClient.to("mailbox", url, capability))) {
      return CommandClient.print(() -> call.on(client));
    }
  }

  int get(String path) throws IOException, InterruptedException {
    return call("GET", path, new byte[0]);
  }

  /**
   * @param form written as JSON
   */
  int post(String path, Object form) throws IOException, InterruptedException {
    return call("POST", path, Json.plain().write(form));
  }

  int call(String method, String path, byte[] form) throws IOException, InterruptedException {
    return print(mailbox -> mailbox.call(method, path, form, LIMIT));
  }
}
