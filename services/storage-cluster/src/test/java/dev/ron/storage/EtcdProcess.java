package dev.ron.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.testkit.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A real etcd on loopback, which can be killed and started again with what it knew.
 *
 * <p>Threading: owned by the test.
 */
final class EtcdProcess implements AutoCloseable {
  private final Path program;
  private final Path folder;
  private final List<Integer> ports;
  private Process process;

  EtcdProcess(Path program, Path folder) throws IOException {
    this.program = program;
    this.folder = folder;
    this.ports = FreePorts.several(2);
    this.process = start();
  }

  /** Where the system's packages put it. */
  static Optional<Path> installed() {
    return Stream.of("/usr/bin/etcd", "/usr/local/bin/etcd")
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  String url() {
    return "http://127.0.0.1:" + ports.get(0);
  }

  private Process start() {
    String peer = "http://127.0.0.1:" + ports.get(1);
    try {
      return new ProcessBuilder(
              program.toString(),
              "--data-dir=" + folder,
              "--listen-client-urls=" + url(),
              "--advertise-client-urls=" + url(),
              "--listen-peer-urls=" + peer,
              "--initial-advertise-peer-urls=" + peer,
              "--initial-cluster=default=" + peer)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes an entry, as any client can that reaches it. */
  void put(String key, String value) throws IOException, InterruptedException {
    Base64.Encoder base64 = Base64.getEncoder();
    String body =
        "{\"key\":\"%s\",\"value\":\"%s\"}"
            .formatted(
                base64.encodeToString(key.getBytes(UTF_8)),
                base64.encodeToString(value.getBytes(UTF_8)));
    try (HttpClient client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create(url() + "/v3/kv/put"))
              .timeout(Duration.ofSeconds(10))
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build();
      int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
      if (status != 200) {
        throw new IOException("etcd answers " + status);
      }
    }
  }

  void kill9() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  void startAgain() {
    process = start();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
