package dev.ron.node.demo;

import dev.ron.client.bucket.BucketClient;
import dev.ron.kernel.time.Time;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A cluster on loopback, as {@code ron up --machines 3} makes it, whose machines can be killed.
 *
 * <p>Threading: started, killed and closed by the tour.
 */
final class ThreeMachines implements AutoCloseable {
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final Duration READY_WITHIN = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);
  private static final long END_WITHIN_SECONDS = 30;

  private final Process all;
  private final Map<String, DemoNode.Ready> machines = new LinkedHashMap<>();
  private final HttpClient http = HttpClient.newHttpClient();

  private ThreeMachines(Process all) {
    this.all = all;
  }

  static ThreeMachines start(Path folder, int port, Time time)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    List<String> command = DemoNode.command();
    command.addAll(List.of("up", "--machines", Integer.toString(NAMES.size())));
    command.addAll(List.of("--data", folder.toString(), "--base-port", Integer.toString(port)));
    Path log = folder.resolve("machines.log");
    var three =
        new ThreeMachines(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start());
    Instant end = time.now().plus(READY_WITHIN);
    // The first is ready alone before it is one of three; the last one is ready only then.
    for (String name : NAMES) {
      Path ready = folder.resolve(name + ".json");
      while (!Files.exists(ready)) {
        if (!three.all.isAlive() || time.now().isAfter(end)) {
          three.close();
          throw new IOException("the machines did not come up; what they said is in " + log);
        }
        time.sleepUntil(time.now().plus(POLL));
      }
      three.machines.put(name, DemoNode.Ready.read(ready));
    }
    return three;
  }

  private DemoNode.Ready machine(String name) {
    return Objects.requireNonNull(machines.get(name));
  }

  void kill9(String name) {
    ProcessHandle.of(machine(name).pid()).ifPresent(ProcessHandle::destroyForcibly);
  }

  BucketClient bucket(String name) throws IOException {
    return machine(name).bucket();
  }

  /** Asks the mailbox of a machine. */
  HttpResponse<byte[]> send(String name, String path, byte[] body)
      throws IOException, InterruptedException {
    DemoNode.Ready machine = machine(name);
    return http.send(
        HttpRequest.newBuilder(URI.create(machine.url("mailbox") + path))
            .timeout(ANSWER_WITHIN)
            .header("Authorization", "Bearer " + machine.capability())
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  /** Its own children end with it; one that was killed is gone already. */
  @Override
  public void close() {
    all.destroy();
    try {
      if (!all.waitFor(END_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        all.descendants().forEach(ProcessHandle::destroyForcibly);
        all.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    http.shutdownNow();
  }
}
