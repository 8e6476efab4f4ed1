package dev.ron.mailbox;

import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.ChildJvm;
import dev.ron.testkit.FaultyLink;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Three machines of a cluster as real processes, each with its own links to the others.
 *
 * <p>They know each other by name, and each resolves the names to its own links, so that one can be
 * cut off from the others both ways.
 *
 * <p>Threading: owned by the test; addresses may be asked for from any thread.
 */
final class Nodes implements AutoCloseable {
  static final List<String> NAMES = List.of("a", "b", "c");
  private static final Duration LIMIT = Duration.ofSeconds(40);

  final SystemTime time = new SystemTime();
  final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private final Path folder;
  private final List<String> settings;
  private final Map<String, Integer> raftPorts = new LinkedHashMap<>();
  private final Map<String, Integer> namePorts = new LinkedHashMap<>();
  private final Map<String, Integer> httpPorts = new LinkedHashMap<>();
  private final Map<String, FaultyLink> links = new LinkedHashMap<>();
  private final Map<String, ChildJvm> children = new LinkedHashMap<>();

  Nodes(Path folder, String... settings) throws IOException {
    this.folder = folder;
    this.settings = List.of(settings);
    for (String name : NAMES) {
      raftPorts.put(name, freePort());
      namePorts.put(name, freePort());
      httpPorts.put(name, freePort());
    }
    for (int from = 0; from < NAMES.size(); from++) {
      var hosts = new StringBuilder();
      for (int to = 0; to < NAMES.size(); to++) {
        String ip = "127.0.%d.%d".formatted(10 + from, 10 + to);
        hosts.append(ip).append(" ron-").append(NAMES.get(to)).append('\n');
        if (from != to) {
          var listen =
              new InetSocketAddress(
                  InetAddress.getByName(ip), Objects.requireNonNull(namePorts.get(NAMES.get(to))));
          var target =
              new InetSocketAddress(
                  InetAddress.getLoopbackAddress(),
                  Objects.requireNonNull(raftPorts.get(NAMES.get(to))));
          links.put(NAMES.get(from) + NAMES.get(to), new FaultyLink(listen, target));
        }
      }
      Files.writeString(folder.resolve("hosts-" + NAMES.get(from)), hosts);
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  void startAll() throws Exception {
    for (String name : NAMES) {
      launch(name);
    }
    for (String name : NAMES) {
      child(name).line();
    }
  }

  void start(String name) throws Exception {
    launch(name);
    child(name).line();
  }

  private void launch(String name) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-ea",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED",
            "-Dron.loud=" + System.getProperty("ron.loud", "false"),
            "-Djdk.net.hosts.file=" + folder.resolve("hosts-" + name),
            "-cp",
            System.getProperty("java.class.path"),
            ClusterMain.class.getName(),
            folder.resolve("node-" + name).toString(),
            name,
            NAMES.stream()
                .map(each -> "%s = \"ron-%s:%d\"".formatted(each, each, namePorts.get(each)))
                .collect(Collectors.joining(", ", "{ ", " }")),
            "127.0.0.1:" + raftPorts.get(name),
            "127.0.0.1:" + httpPorts.get(name)));
    command.addAll(settings);
    children.put(name, ChildJvm.start(command));
  }

  ChildJvm child(String name) {
    return Objects.requireNonNull(children.get(name), name);
  }

  void kill(String name) throws InterruptedException {
    child(name).kill9();
    child(name).close();
  }

  /** SIGTERM, and waits for the end. */
  void drain(String name) throws InterruptedException {
    child(name).terminate();
    child(name).exit(LIMIT);
    child(name).close();
  }

  /** Nothing goes to or from a machine; its peers are not told. */
  void cutOff(String name) {
    links.forEach(
        (ends, link) -> {
          if (ends.contains(name)) {
            link.stall();
          }
        });
  }

  void heal() {
    links.values().forEach(FaultyLink::heal);
  }

  URI uri(String name, String path) {
    return URI.create("http://127.0.0.1:" + httpPorts.get(name) + path);
  }

  String get(String name, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(name, path)).timeout(Duration.ofSeconds(10)).build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body();
  }

  HttpResponse<String> post(String name, String path, String type, byte[] body)
      throws IOException, InterruptedException {
    return post(name, path, type, body, Duration.ofSeconds(20));
  }

  HttpResponse<String> post(String name, String path, String type, byte[] body, Duration patience)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(name, path))
            .timeout(patience)
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Waits until a machine says that it is ready. */
  void awaitReady(String name) throws InterruptedException {
    Instant limit = time.now().plus(LIMIT);
    String last = "";
    while (time.now().isBefore(limit)) {
      try {
        last = get(name, "/readyz");
        if (last.startsWith("200")) {
          return;
        }
      } catch (IOException notYet) {
        last = notYet.toString();
      }
      time.sleepUntil(time.now().plusMillis(20));
    }
    throw new AssertionError(name + " is not ready: " + last);
  }

  /** Who leads a group, as most machines say. */
  String leader(int group) throws InterruptedException {
    Instant limit = time.now().plus(LIMIT);
    var form = Pattern.compile("\\{\"group\":" + group + ",[^{]*?\"leader\":\"(\\w+)\"");
    while (time.now().isBefore(limit)) {
      for (String name : NAMES) {
        try {
          Matcher found = form.matcher(get(name, "/v1/cluster"));
          if (found.find() && get(found.group(1), "/v1/cluster").contains("\"leads\":true")) {
            return found.group(1);
          }
        } catch (IOException _) {
          // not this one
        }
      }
      time.sleepUntil(time.now().plusMillis(20));
    }
    throw new AssertionError("nobody leads group " + group);
  }

  void await(String what, BooleanSupplier met) throws IOException, InterruptedException {
    Instant limit = time.now().plus(LIMIT);
    while (!met.getAsBoolean()) {
      if (time.now().isAfter(limit)) {
        throw new AssertionError("never: " + what + states());
      }
      time.sleepUntil(time.now().plusMillis(10));
    }
  }

  /** What each machine says of the groups, for when something is wrong. */
  String states() throws IOException, InterruptedException {
    var all = new StringBuilder();
    for (String name : NAMES) {
      all.append('\n').append(get(name, "/v1/cluster"));
    }
    return all.toString();
  }

  void awaitAllReady() throws InterruptedException {
    for (String name : NAMES) {
      awaitReady(name);
    }
  }

  @Override
  public void close() {
    children.values().forEach(ChildJvm::close);
    http.close();
    for (FaultyLink link : links.values()) {
      try {
        link.close();
      } catch (IOException _) {
        // its port is given up anyway
      }
    }
  }
}
