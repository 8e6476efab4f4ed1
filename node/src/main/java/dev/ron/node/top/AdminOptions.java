package dev.ron.node.top;

import dev.ron.client.ServiceClient;
import dev.ron.http.Refusal;
import dev.ron.http.client.ClientFault;
import dev.ron.node.cli.CommandClient;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Where the admin door is, and the capability to show it. */
final class AdminOptions {
  static final Duration LIMIT = Duration.ofSeconds(5);

  @Option(
      names = {"--admin", "--url"},
      defaultValue = "${env:RON_URL_ADMIN:-http://127.0.0.1:8090}",
      description = "The admin door; ${DEFAULT-VALUE} if not given.")
  private String url = "http://127.0.0.1:8090";

  @Option(
      names = "--cap",
      defaultValue = "${env:RON_CAP:-}",
      description = "The capability to show; the variable RON_CAP if not given.")
  private String capability = "";

  /** Shown to the admin door; also good for the node's services. */
  String capability() {
    return capability;
  }

  /** What a command asks. */
  @FunctionalInterface
  interface AdminCall<T> {
    T on(ServiceClient admin) throws IOException, InterruptedException;
  }

  /** Asks; what does not answer, or is another door, is named, with what to do. */
  <T> T ask(AdminCall<T> call) throws IOException, InterruptedException {
    try (ServiceClient client = CommandClient.to("admin", url, capability)) {
      return call.on(client);
    } catch (ServiceState.NoAdminDoor other) {
      throw new IOException(
          "%s is no admin door (%s); name a node's admin door with --admin"
              .formatted(url, other.getMessage()),
          other);
    } catch (Refusal refused) {
      if (refused.fault() instanceof ClientFault.NoConnection) {
        throw new IOException(
            "no node answers at %s; start one with `ron up`, or name its admin door with --admin"
                .formatted(url),
            refused);
      }
      throw refused;
    }
  }
}
