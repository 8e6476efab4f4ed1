package dev.ron.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.node.Ron;
import dev.ron.node.Said;
import dev.ron.testkit.ChildJvm;
import dev.ron.testkit.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Nodes in processes of their own, started as a user would.
 *
 * <p>Threading: owned by the test; requests from any thread.
 */
final class ClusterMachines implements AutoCloseable {
  static final int ADMIN = 10;
  private static final Duration READY_WITHIN = Duration.ofMinutes(3);

  /** The doors that clients come to, and the operator's. */
  private static final Map<String, Integer> DOORS =
      Map.of(
          "gateway.bind", ClusterClient.GATEWAY,
          "storage.s3.bind", ClusterClient.S3,
          "mailbox.sqs.bind", ClusterClient.SQS,
          "admin.bind", ADMIN);

  private final Path folder;
  private final MachineNetwork network;
  private final Map<String, Integer> ports = new TreeMap<>();
  private final Map<String, ChildJvm> processes = new TreeMap<>();
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private @Nullable String capability;

  ClusterMachines(Path folder, MachineNetwork network) {
    this.folder = folder;
    this.network = network;
  }

  Path data(String name) {
    return folder.resolve(name);
  }

  int port(String name) throws IOException {
    Integer known = ports.get(name);
    if (known == null) {
      known = network.port(FreePorts.row(ClusterMachine.JOIN + 1));
      ports.put(name, known);
    }
    return known;
  }

  /** Starts a node, and does not wait for it. */
  void start(String name, String... more) throws Exception {
    Files.deleteIfExists(ready(name));
    var command = new ArrayList<String>();
    command.addAll(List.of("sh", "-c", "exec \"$@\" >>" + folder.resolve(name + ".log") + " 2>&1"));
    command.add("sh");
    String host = network.host(name);
    command.addAll(network.on(name));
    command.addAll(ChildJvm.command(Ron.class, "up", "--base-port", Integer.toString(port(name))));
    command.addAll(List.of("--data", data(name).toString()));
    command.addAll(List.of("--ready-file", ready(name).toString()));
    for (Map.Entry<String, Integer> door : DOORS.entrySet()) {
      command.addAll(
          List.of(
              "--set", "%s=%s:%d".formatted(door.getKey(), host, port(name) + door.getValue())));
    }
    command.addAll(List.of("--set", "rewarder.require_signed_policy=false"));
    if (network.canCut()) { // the admin door is reached from outside of the namespace
      command.addAll(List.of("--set", "admin.open=true", "--set", "admin.danger_ok=true"));
    }
    command.addAll(List.of(more));
    processes.put(name, ChildJvm.start(command));
  }

  private Path ready(String name) {
    return folder.resolve(name + ".json");
  }

  void awaitReady(String... names) throws IOException {
    long limit = System.nanoTime() + READY_WITHIN.toNanos();
    for (String name : names) {
      while (!Files.exists(ready(name))) {
        if (System.nanoTime() > limit) {
          throw new AssertionError(name + " is not ready: " + log(name));
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
    }
  }

  private String log(String name) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve(name + ".log"));
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 15), lines.size()));
  }

  void kill9(String name) throws Exception {
    ChildJvm process = processes.remove(name);
    if (process != null) {
      process.kill9();
      process.close();
    }
  }

  /** Drains, as a restart does. */
  void stop(String name) throws Exception {
    ChildJvm process = processes.remove(name);
    if (process != null) {
      process.terminate();
      assertThat(process.exit(Duration.ofSeconds(60))).isZero();
      process.close();
    }
  }

  String capability() throws IOException {
    String known = capability;
    if (known == null) {
      known = Files.readString(data("a").resolve("keys/admin.cap")).strip();
      capability = known;
    }
    return known;
  }

  String url(String name, int place) throws Exception {
    return "http://%s:%d".formatted(network.host(name), port(name) + place);
  }

  ClusterClient client(String name) throws Exception {
    return new ClusterClient(http, capability(), network.host(name), port(name));
  }

  MachineNetwork network() {
    return network;
  }

  long pid(String name) {
    return processes.get(name).pid();
  }

  /** SIGSTOP, SIGCONT. */
  void signal(String name, String signal) throws Exception {
    processes.get(name).signal(signal);
  }

  /** Until all services of a machine want traffic, by its own word. */
  void awaitWellness(String name) throws Exception {
    long limit = System.nanoTime() + READY_WITHIN.toNanos();
    while (!isWell(name)) {
      if (System.nanoTime() > limit) {
        throw new AssertionError(name + " is not ready: " + log(name));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
  }

  private boolean isWell(String name) throws Exception {
    try {
      return http.send(
                  HttpRequest.newBuilder(URI.create(url(name, ADMIN) + "/readyz"))
                      .timeout(Duration.ofSeconds(2))
                      .build(),
                  HttpResponse.BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException away) {
      return false;
    }
  }

  /** A command with the node's door and the admin capability. */
  String ron(String name, int place, String... words) throws Exception {
    var all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--url", url(name, place), "--cap", capability()));
    return run(all.toArray(String[]::new));
  }

  static String run(String... words) {
    Said said = Said.by(words);
    assertThat(said.exit()).as("%s: %s", List.of(words), said.err()).isZero();
    return said.out().strip();
  }

  @Override
  public void close() {
    processes.values().forEach(ChildJvm::close);
    http.shutdownNow();
  }
}
