package dev.ron.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;

/**
 * What a client does to a storage that may be killed at any moment.
 *
 * <p>Threading: owned by its thread.
 */
final class KillClient {
  private static final int PART = 1 << 20;

  private final HttpClient http;
  private final int port;
  private final String query;

  KillClient(HttpClient http, int port) {
    this(http, port, "");
  }

  /**
   * @param query of every request
   */
  KillClient(HttpClient http, int port, String query) {
    this.http = http;
    this.port = port;
    this.query = query;
  }

  boolean put(byte[] object) throws IOException, InterruptedException {
    return send("PUT", "/o/" + Rig.address(object), object).statusCode() < 300;
  }

  boolean upload(byte[] object) throws IOException, InterruptedException {
    String body = "{\"address\":\"" + Rig.address(object) + "\"}";
    String begun = new String(send("POST", "/o/uploads", body.getBytes(UTF_8)).body(), UTF_8);
    String path = "/o/uploads/" + Rig.field(begun, "upload");
    for (int at = 0, part = 0; at < object.length; at += PART, part++) {
      byte[] bytes = Arrays.copyOfRange(object, at, Math.min(object.length, at + PART));
      if (send("PUT", path + "/" + part, bytes).statusCode() != 200) {
        return false;
      }
    }
    return send("POST", path + "/complete", new byte[0]).statusCode() < 300;
  }

  boolean delete(byte[] object) throws IOException, InterruptedException {
    return send("DELETE", "/o/" + Rig.address(object), new byte[0]).statusCode() == 204;
  }

  /** The status, and an error if the bytes are not those. */
  int read(byte[] object) throws IOException, InterruptedException {
    HttpResponse<byte[]> answer = send("GET", "/o/" + Rig.address(object), new byte[0]);
    if (answer.statusCode() == 200 && !Arrays.equals(answer.body(), object)) {
      throw new AssertionError("wrong bytes of " + Rig.address(object));
    }
    return answer.statusCode();
  }

  private HttpResponse<byte[]> send(String method, String path, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path + query))
            .timeout(Duration.ofSeconds(20))
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
  }
}
