package dev.ron.node.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.capability.KeyPair;
import dev.ron.node.cap.CapCommand;
import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.RequestSigner;
import dev.ron.sigv4.ServiceRules;
import dev.ron.sigv4.SignedRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Requests to the doors of one machine, each with a short limit: a client of a cluster goes on to
 * the next machine.
 *
 * <p>Threading: thread-safe.
 *
 * @param host where the machine's doors are
 * @param port its base port
 */
record ClusterClient(HttpClient http, String capability, String host, int port) {
  static final int GATEWAY = 0;
  static final int S3 = 5;
  static final int SQS = 6;

  /** Longer than an election, so that a request which waits for a leader is not given up. */
  private static final Duration LIMIT = Duration.ofSeconds(5);

  HttpResponse<byte[]> gateway(String method, String path, byte[] body)
      throws IOException, InterruptedException {
    return send(
        request(GATEWAY, path)
            .header("Authorization", "Bearer " + capability)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body)));
  }

  HttpResponse<byte[]> gateway(String method, String path, String json)
      throws IOException, InterruptedException {
    return gateway(method, path, json.getBytes(UTF_8));
  }

  /** One action of SQS, as its members. */
  HttpResponse<byte[]> sqs(String action, String members) throws IOException, InterruptedException {
    return send(
        request(SQS, "/")
            .header("Authorization", "Bearer " + capability)
            .header("Content-Type", "application/x-amz-json-1.0")
            .header("X-Amz-Target", "AmazonSQS." + action)
            .POST(HttpRequest.BodyPublishers.ofString(members)));
  }

  /**
   * @param fields names and values in turn, which are signed
   */
  HttpResponse<byte[]> s3(String method, String path, byte[] body, String... fields)
      throws IOException, InterruptedException {
    KeyPair pair = KeyPair.of(CapCommand.decoded(capability));
    var signer =
        new RequestSigner(
            ServiceRules.S3, pair.accessKeyId(), pair.secret(), pair.sessionToken(), "us-east-1");
    List<SignedRequest.Header> headers = new ArrayList<>();
    headers.add(new SignedRequest.Header("host", host + ":" + (port + S3)));
    for (int i = 0; i < fields.length; i += 2) {
      headers.add(new SignedRequest.Header(fields[i], fields[i + 1]));
    }
    HttpRequest.Builder request =
        request(S3, path).method(method, HttpRequest.BodyPublishers.ofByteArray(body));
    signer
        .sign(
            new SignedRequest(method, path, "", headers), new PayloadMode.Unsigned(), Instant.now())
        .request()
        .headers()
        .stream()
        .filter(field -> !field.name().equalsIgnoreCase("host"))
        .forEach(field -> request.header(field.name(), field.value()));
    return send(request);
  }

  private HttpRequest.Builder request(int place, String path) {
    return HttpRequest.newBuilder(URI.create("http://%s:%d%s".formatted(host, port + place, path)))
        .version(HttpClient.Version.HTTP_1_1)
        .timeout(LIMIT);
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }
}
