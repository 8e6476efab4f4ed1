package dev.ron.node.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Option;

/** Where the mailbox is and the capability to show it; and one call to it. */
final class MailboxOptions {
  private static final Duration LIMIT = Duration.ofSeconds(60);

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

  /** Prints the answer; 0 if it was a good one. */
  int call(String method, String path, String type, byte[] body)
      throws IOException, InterruptedException {
    return print(ask(method, path, type, body), answer -> answer + "\n");
  }

  private HttpResponse<String> ask(String method, String path, String type, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(LIMIT)
            .header("Content-Type", type)
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
    Optional.of(capability)
        .filter(given -> !given.isEmpty())
        .ifPresent(given -> request.header("Authorization", "Bearer " + given));
    HttpClient.Builder follows =
        HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL);
    try (HttpClient client = follows.build()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  private static int print(HttpResponse<String> answer, UnaryOperator<String> form) {
    if (answer.statusCode() < 300) {
      System.out.print(form.apply(answer.body()));
      return 0;
    }
    System.err.println(answer.body());
    return 1;
  }

  /** Prints a good answer in another form. */
  int get(String path, UnaryOperator<String> form) throws IOException, InterruptedException {
    return print(ask("GET", path, "application/json", new byte[0]), form);
  }

  int get(String path) throws IOException, InterruptedException {
    return call("GET", path, "application/json", new byte[0]);
  }

  int post(String path, String json) throws IOException, InterruptedException {
    return call(
        "POST", path, "application/json", json.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }
}
