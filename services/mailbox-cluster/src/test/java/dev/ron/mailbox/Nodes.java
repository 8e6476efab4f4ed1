package dev.ron.mailbox;

import dev.ron.testkit.ChildJvm;
import dev.ron.testkit.FaultyLink;
import dev.ron.testkit.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Three machines of a cluster as real processes, each with its own links to the others.
 *
 * <p>They know each other by name, and each resolves the names to its own links, so that one can be
 * cut off from the others both ways.
 *
 * <p>Threading: owned by the test; addresses may be asked for from any thread.
 */
final class Nodes extends Machines {
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
      raftPorts.put(name, FreePorts.one());
      namePorts.put(name, FreePorts.one());
      httpPorts.put(name, FreePorts.one());
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

  @Override
  int port(String name) {
    return Objects.requireNonNull(httpPorts.get(name), name);
  }

  void startAll() throws Exception {
    startAll(NAMES.toArray(String[]::new));
  }

  void startAll(String... names) throws Exception {
    for (String name : names) {
      launch(name);
    }
    for (String name : names) {
      child(name).line();
    }
  }

  void start(String name) throws Exception {
    startAll(name);
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

  @Override
  public void close() {
    children.values().forEach(ChildJvm::close);
    super.close();
    for (FaultyLink link : links.values()) {
      try {
        link.close();
      } catch (IOException _) {
        // its port is given up anyway
      }
    }
  }
}
