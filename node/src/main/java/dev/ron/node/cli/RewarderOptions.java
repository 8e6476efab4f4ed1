package dev.ron.node.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.client.ServiceClient;
import dev.ron.client.ServiceRefusal;
import dev.ron.http.Headers;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.json.Json;
import dev.ron.node.profile.Terminal;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
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

  String capability() {
    return capability;
  }

  boolean json() {
    return json;
  }

  /**
   * An answer, good or not: 202 and 200 mean different things to a command.
   *
   * @param refusal in words; empty for a good one
   */
  record RewarderAnswer(int status, String body, String refusal) {
    boolean good() {
      return status < 300;
    }
  }

  /**
   * @param form written as JSON; null for none
   */
  RewarderAnswer ask(String method, String path, @Nullable Object form)
      throws IOException, InterruptedException {
    Headers own = Headers.of("Content-Type", "application/json");
    byte[] body = form == null ? new byte[0] : Json.plain().write(form);
    try (ServiceClient client = CommandClient.to("rewarder", url, capability);
        ClientAnswer answer = client.send(method, path, own, body, LIMIT, LIMIT)) {
      return new RewarderAnswer(answer.status(), new String(answer.readAllBytes(), UTF_8), "");
    } catch (ServiceRefusal refused) {
      return new RewarderAnswer(
          refused.status(), refused.problem(), String.valueOf(refused.getMessage()));
    }
  }

  RewarderAnswer get(String path) throws IOException, InterruptedException {
    return ask("GET", path, null);
  }

  /** Prints the answer to the right stream; the exit code. */
  int told(RewarderAnswer answer) {
    if (answer.good()) {
      System.out.println(answer.body());
      return 0;
    }
    boolean person = !json && Terminal.err();
    System.err.println(person ? "ron: " + answer.refusal() : answer.body());
    return 1;
  }
}
