package dev.ron.node.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.client.ServiceClient;
import dev.ron.client.ServiceRefusal;
import dev.ron.http.Headers;
import dev.ron.http.json.Json;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.node.profile.Terminal;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/**
 * The client of a command, and how its answer is printed.
 *
 * <p>Threading: stateless.
 */
public final class CommandClient {
  private CommandClient() {}

  /** Gets an answer, as text to print. */
  @FunctionalInterface
  interface Call {
    String answer() throws IOException, InterruptedException;
  }

  public static Scope scope() {
    return Scope.of("ron", World.real(Log.silent()));
  }

  public static ServiceClient to(String service, String url, String capability) throws IOException {
    return ServiceClient.to(scope(), service, URI.create(url), capability);
  }

  /** The answer to a GET, or the body of a refusal: a command shows both. */
  public static String get(ServiceClient client, String path, Duration limit)
      throws IOException, InterruptedException {
    try {
      return new String(client.bytes("GET", path, new Headers(1), new byte[0], limit), UTF_8);
    } catch (ServiceRefusal refused) {
      return refused.problem();
    }
  }

  public static String json(Object record) {
    return new String(Json.plain().write(record), UTF_8);
  }

  /**
   * Prints a good answer, or a refusal to the other stream; the exit code.
   *
   * @param json whether a program asked: it is told the refusal as the service wrote it
   * @throws ServiceRefusal to a person, for whom the command line has words
   */
  static int print(boolean json, Call call) throws IOException, InterruptedException {
    try {
      System.out.println(call.answer().stripTrailing());
      return 0;
    } catch (ServiceRefusal refused) {
      if (!json && Terminal.err()) {
        throw refused;
      }
      System.err.println(refused.problem());
      return 1;
    }
  }
}
