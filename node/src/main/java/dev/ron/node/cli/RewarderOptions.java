package dev.ron.node.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Option;

/** Where the rewarder is and the capability to show it; shared by all commands that call it. */
final class RewarderOptions {
  /** A large epoch is computed again for a verification; longer than the server's own limit. */
  private static final Duration LIMIT = Duration.ofMinutes(11);

  @Option(
      names = "--url",
      defaultValue = "${env:RON_URL_REWARDER:-http://127.0.0.1:8084}",
      description = "The rewarder (default: ${DEFAULT-VALUE}).")
  private String url = "";

  @Option(
      names = "--cap",
      defaultValue = "${env:RON_CAP:-}",
      description = "The capability (default: the variable RON_CAP).")
  private String capability = "";

  @Option(names = "--json", description = "The rewarder's own JSON, nothing else.")
  private boolean json;

  boolean json() {
    return json;
  }

  HttpResponse<String> ask(String method, String path, String body, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(LIMIT)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    headers.forEach(request::header);
    if (!capability.isEmpty()) {
      request.header("Authorization", "Bearer " + capability);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return ask("GET", path, "", Map.of());
  }

  /** Prints the answer to the right stream; the exit code. */
  int told(HttpResponse<String> answer) {
    boolean good = answer.statusCode() < 300;
    (good ? System.out : System.err).println(answer.body());
    return good ? 0 : 1;
  }
}
