package dev.ron.node.cluster;

import dev.ron.client.ServiceClient;
import dev.ron.http.Headers;
import dev.ron.http.client.AddressPolicy;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.HttpClientConfig;
import dev.ron.http.json.Json;
import dev.ron.http.json.JsonRead;
import dev.ron.http.tls.PeerTls;
import dev.ron.kernel.Scope;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Questions of one machine to another.
 *
 * <p>Threading: thread-safe; calls wait and belong on a thread of their own.
 */
final class MachineClient implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Scope scope;
  private final HttpClient http;

  private MachineClient(Scope scope, HttpClient http) {
    this.scope = scope;
    this.http = http;
  }

  /** Shows this machine's certificate. */
  static MachineClient certified(Scope scope, PeerTls tls) throws IOException {
    return new MachineClient(
        scope, new HttpClient(scope, HttpClientConfig.standard().with(AddressPolicy.ANY), tls));
  }

  /** Has no certificate yet, and speaks to machines of one authority. */
  static MachineClient invited(Scope scope, Path authority) throws IOException {
    return new MachineClient(
        scope,
        new HttpClient(
            scope, HttpClientConfig.standard().with(AddressPolicy.ANY).trusting(authority)));
  }

  <T> T get(String at, String path, Class<T> type) throws IOException, InterruptedException {
    return ask("GET", at, path, new byte[0], type);
  }

  <T> T post(String at, String path, Object question, Class<T> type)
      throws IOException, InterruptedException {
    return ask("POST", at, path, Json.plain().write(question), type);
  }

  private <T> T ask(String method, String at, String path, byte[] body, Class<T> type)
      throws IOException, InterruptedException {
    byte[] answer =
        ServiceClient.over(http, scope, "cluster", URI.create("https://" + at), () -> "")
            .bytes(method, path, new Headers(1), body, LIMIT);
    return switch (Json.tolerant().read(answer, type)) {
      case JsonRead.Value<T>(T value) -> value;
      case JsonRead.Bad<T>(var fault) ->
          throw new IOException(at + " answers what is not understood: " + fault.detail());
    };
  }

  @Override
  public void close() {
    http.close();
  }
}
