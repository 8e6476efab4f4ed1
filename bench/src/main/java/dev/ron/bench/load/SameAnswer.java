package dev.ron.bench.load;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;

/**
 * Asks a server once before it is timed: a rate of wrong answers is no rate.
 *
 * <p>Threading: stateless.
 */
public final class SameAnswer {
  private SameAnswer() {}

  public static void require(URI target, byte[] expected) throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      HttpResponse<byte[]> answer =
          client.send(HttpRequest.newBuilder(target).build(), BodyHandlers.ofByteArray());
      if (answer.statusCode() != 200 || !Arrays.equals(answer.body(), expected)) {
        throw new IOException(
            "%s answered %d with %d bytes that are not the object's"
                .formatted(target, answer.statusCode(), answer.body().length));
      }
    }
  }
}
