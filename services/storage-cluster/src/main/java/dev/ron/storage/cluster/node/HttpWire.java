package dev.ron.storage.cluster.node;

import dev.ron.http.Headers;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.function.Supplier;

/**
 * Requests over HTTP, each with this node's capability.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 *
 * @param base without a slash in the end
 * @param token asked for each request: it is good for minutes and renewed; an empty one is not
 *     shown
 */
public record HttpWire(HttpClient http, String base, Supplier<String> token) implements PeerWire {
  public HttpWire {
    base = PeerClient.base(base);
  }

  @Override
  public Reply send(String method, String path, byte[] body, Deadline until)
      throws IOException, InterruptedException {
    return reply(
        http.send(ClientRequest.of(method, URI.create(base + path), headers(), body), until));
  }

  @Override
  public Reply send(String method, String path, InputStream body, long sizeBytes, Deadline until)
      throws IOException, InterruptedException {
    var streamed = ClientRequest.streamed(method, URI.create(base + path), headers(), sizeBytes);
    return reply(http.send(streamed, body, until));
  }

  private static Reply reply(ClientAnswer answer) {
    return new Reply(answer.status(), answer.headers(), answer);
  }

  private Headers headers() {
    var headers = new Headers(2);
    String shown = token.get();
    return shown.isEmpty() ? headers : headers.add("Authorization", "Bearer " + shown);
  }
}
