package dev.ron.node.demo;

import dev.ron.capability.KeyPair;
import dev.ron.client.bucket.BucketClient;
import dev.ron.client.bucket.BucketEndpoint;
import dev.ron.http.json.Json;
import dev.ron.http.json.JsonRead;
import dev.ron.kernel.time.Time;
import dev.ron.node.cap.CapCommand;
import dev.ron.node.cli.CommandClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node in a process of its own, so that it can be killed while this one counts.
 *
 * <p>Threading: started, killed and closed by the tour; {@link #send} by any thread.
 */
final class DemoNode implements AutoCloseable {
  private static final Duration READY_WITHIN = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);
  private static final Json JSON = Json.strict(4096);

  /** What the node writes when it is ready. */
  record Ready(Map<String, Url> services, String admin, String capability, long pid) {
    /** Where a service is. */
    record Url(String url) {}

    static Ready read(Path file) throws IOException {
      return switch (JSON.read(Files.readAllBytes(file), Ready.class)) {
        case JsonRead.Value<Ready>(Ready value) -> value;
        case JsonRead.Bad<Ready>(var fault) -> throw new IOException("ready file: " + fault);
      };
    }

    String url(String service) {
      Url url = services.get(service);
      if (url == null) {
        throw new IllegalStateException("this build has no " + service);
      }
      return url.url();
    }

    /** Our own client of its S3 door, with the capability cut into a key pair. */
    BucketClient bucket() throws IOException {
      KeyPair pair = KeyPair.of(CapCommand.decoded(capability));
      return new BucketClient(
          CommandClient.scope(),
          BucketEndpoint.signed(
              URI.create(url("s3")),
              pair.accessKeyId(),
              pair.secret(),
              pair.sessionToken(),
              BucketEndpoint.REGION));
    }
  }

  private final Path folder;
  private final List<String> arguments;
  private final Time time;
  private final HttpClient http = HttpClient.newHttpClient();
  private @Nullable Process process;
  private volatile @Nullable Ready ready;

  /**
   * @param arguments of {@code ron up}, besides folder and ports
   */
  DemoNode(Path folder, List<String> arguments, Time time) {
    this.folder = folder;
    this.arguments = arguments;
    this.time = time;
  }

  Path data() {
    return folder.resolve("data");
  }

  Path folder() {
    return folder;
  }

  /** Starts the process and waits until all of it is ready; answers how long that took. */
  Duration start() throws IOException, InterruptedException {
    Instant began = time.now();
    Path told = folder.resolve("ready.json");
    Files.deleteIfExists(told);
    List<String> command = command();
    command.add("up");
    command.addAll(List.of("--data", data().toString(), "--ready-file", told.toString()));
    command.addAll(List.of("--config", config().toString()));
    command.addAll(arguments);
    if (!Files.exists(config())) {
      Files.writeString(config(), "");
    }
    List<Path> disks = FlippedBit.folders(data());
    command.addAll(
        List.of(
            "--set",
            "storage.data_dirs=%s,%s".formatted(disks.getFirst(), disks.getLast()),
            "--set",
            "storage.durability.replication=2",
            "--set",
            "rewarder.require_signed_policy=false"));
    Process started =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("node.log").toFile()))
            .start();
    process = started;
    while (!Files.exists(told)) {
      if (!started.isAlive() || time.now().isAfter(began.plus(READY_WITHIN))) {
        throw new IOException(
            "the node did not come up; what it said is in " + folder.resolve("node.log"));
      }
      time.sleepUntil(time.now().plus(POLL));
    }
    ready = Ready.read(told);
    return Duration.between(began, time.now());
  }

  /** This command in a process of its own; what it is to do is added behind. */
  static List<String> command() {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx256m", "-XX:+UseCompactObjectHeaders"));
    command.addAll(
        List.of(
            "--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.ron.node.Ron"));
    return command;
  }

  /** SIGKILL: nothing is flushed, no client is told. */
  void kill9() throws InterruptedException {
    Process running = process;
    if (running != null) {
      running.toHandle().destroyForcibly();
      running.waitFor();
    }
  }

  Ready ready() {
    Ready told = ready;
    if (told == null) {
      throw new IllegalStateException("the node has not been started");
    }
    return told;
  }

  String url(String service) {
    return ready().url(service);
  }

  BucketClient bucket() throws IOException {
    return ready().bucket();
  }

  /** Asks the SQS door. */
  HttpResponse<byte[]> sqs(String action, byte[] form) throws IOException, InterruptedException {
    HttpRequest request =
        request("POST", "sqs", "/", form, ready().capability())
            .setHeader("Content-Type", "application/x-amz-json-1.0")
            .header("X-Amz-Target", "AmazonSQS." + action)
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
  }

  /** Asks a service with the admin capability. */
  HttpResponse<byte[]> send(String method, String service, String path, byte[] body)
      throws IOException, InterruptedException {
    return send(method, service, path, body, ready().capability());
  }

  HttpResponse<byte[]> send(
      String method, String service, String path, byte[] body, String capability)
      throws IOException, InterruptedException {
    return http.send(
        request(method, service, path, body, capability).build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  private HttpRequest.Builder request(
      String method, String service, String path, byte[] body, String capability) {
    return HttpRequest.newBuilder(URI.create(url(service) + path))
        .timeout(ANSWER_WITHIN)
        .header("Authorization", "Bearer " + capability)
        .header("Content-Type", "application/json")
        .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
  }

  /** Like {@link #send}, with a {@code Prefer} field for how long to wait. */
  HttpResponse<byte[]> ask(String method, String service, String path, byte[] body, String prefer)
      throws IOException, InterruptedException {
    return http.send(
        request(method, service, path, body, ready().capability()).header("Prefer", prefer).build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  /** Asks as a tenant that a header names; answers the status. */
  int askAs(String tenant, String service, String path) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(url(service) + path))
            .timeout(ANSWER_WITHIN)
            .header("X-Tenant", tenant)
            .build();
    return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  /** Where the node's configuration is; read at its start and on a hangup. */
  Path config() {
    return folder.resolve("ron.toml");
  }

  /** SIGHUP: read the configuration again. */
  void hangup() throws IOException, InterruptedException {
    long pid = ready().pid();
    int exit = new ProcessBuilder("kill", "-HUP", Long.toString(pid)).start().waitFor();
    if (exit != 0) {
      throw new IOException("kill -HUP " + pid + " exited with " + exit);
    }
  }

  @Override
  public void close() {
    Process running = process;
    if (running != null) {
      running.toHandle().destroy();
      running
          .onExit()
          .orTimeout(10, java.util.concurrent.TimeUnit.SECONDS)
          .exceptionally(_ -> running.destroyForcibly())
          .join();
    }
    http.shutdownNow();
  }
}
