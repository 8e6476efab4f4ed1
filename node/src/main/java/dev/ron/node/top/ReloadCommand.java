package dev.ron.node.top;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.client.ServiceRefusal;
import dev.ron.http.Headers;
import dev.ron.http.json.JsonTree;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Has a running node read its configuration again; 0 if it did.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "reload", description = "Have a running node read its configuration again.")
public final class ReloadCommand implements Callable<Integer> {
  private static final int REFUSED = 409;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Mixin private final AdminOptions admin = new AdminOptions();

  @Option(names = "--json", description = "The node's own JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return admin.ask(
        client -> {
          try {
            String answer =
                new String(
                    client.bytes("POST", "/reload", new Headers(1), new byte[0], LIMIT), UTF_8);
            System.out.println(shown(answer));
            return 0;
          } catch (ServiceRefusal refused) {
            if (refused.status() != REFUSED) {
              throw refused;
            }
            System.err.println(shown(refused.problem()));
            return 1;
          }
        });
  }

  private String shown(String answer) throws IOException {
    return json
        ? answer
        : String.valueOf(JsonTree.object(answer.getBytes(UTF_8)).get("report")).strip();
  }
}
