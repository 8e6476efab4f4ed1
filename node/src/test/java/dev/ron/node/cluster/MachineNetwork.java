package dev.ron.node.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Where the machines of a test are: each in a network namespace of its own, so that they can be cut
 * off from each other, or all on loopback where namespaces cannot be made.
 *
 * <p>A cut is a route into nothing, on both sides: packets vanish, as they do on a broken line, and
 * no connection is told. The test itself reaches every machine all the time.
 *
 * <p>Threading: owned by the test.
 */
final class MachineNetwork implements AutoCloseable {
  private static final int NAMESPACE_PORT = 8080;

  private final boolean namespaces;
  private final int number;
  private final Map<String, Integer> machines = new TreeMap<>();
  private final List<List<String>> cuts = new ArrayList<>();

  private MachineNetwork(boolean namespaces) {
    this.namespaces = namespaces;
    this.number = (int) (ProcessHandle.current().pid() % 250);
  }

  static MachineNetwork open() throws Exception {
    var network = new MachineNetwork(mayMake());
    if (network.namespaces) {
      String bridge = network.bridge();
      ip("link", "add", bridge, "type", "bridge");
      ip("addr", "add", network.address(254) + "/24", "dev", bridge);
      ip("link", "set", bridge, "up");
    } else {
      System.out.println(
          "NOT RUN: no network namespace can be made here (it takes root and iproute2), so the"
              + " machines are on loopback and none is cut off from another");
    }
    return network;
  }

  /** For tests of one machine, of which nothing is cut off. */
  static MachineNetwork loopback() {
    return new MachineNetwork(false);
  }

  private static boolean mayMake() throws InterruptedException {
    String probe = "ron-probe-" + ProcessHandle.current().pid();
    try {
      boolean made = run(List.of("ip", "netns", "add", probe)) == 0;
      return made && run(List.of("ip", "netns", "del", probe)) == 0;
    } catch (IOException none) {
      return false;
    }
  }

  boolean canCut() {
    return namespaces;
  }

  /** The address of a machine, whose namespace is made when it is first asked for. */
  String host(String name) throws Exception {
    if (!namespaces) {
      return "127.0.0.1";
    }
    Integer known = machines.get(name);
    if (known == null) {
      known = machines.size() + 1;
      machines.put(name, known);
      String inside = "ri%d-%s".formatted(number, name);
      String outside = "ro%d-%s".formatted(number, name);
      ip("netns", "add", namespace(name));
      ip("link", "add", outside, "type", "veth", "peer", "name", inside);
      ip("link", "set", outside, "master", bridge(), "up");
      ip("link", "set", inside, "netns", namespace(name));
      within(name, "addr", "add", address(known) + "/24", "dev", inside);
      within(name, "link", "set", inside, "up");
      within(name, "link", "set", "lo", "up");
    }
    return address(known);
  }

  /** A base port, the same for all machines that have a network to themselves. */
  int port(int free) {
    return namespaces ? NAMESPACE_PORT : free;
  }

  /** What goes before a command that runs on a machine. */
  List<String> on(String name) {
    return namespaces ? List.of("ip", "netns", "exec", namespace(name)) : List.of();
  }

  void cut(String one, String other) throws Exception {
    blackhole(one, other);
    blackhole(other, one);
  }

  private void blackhole(String from, String to) throws Exception {
    within(from, "route", "add", "blackhole", host(to) + "/32");
    cuts.add(List.of(from, to));
  }

  void mend() throws Exception {
    for (List<String> each : cuts) {
      within(each.getFirst(), "route", "del", "blackhole", host(each.getLast()) + "/32");
    }
    cuts.clear();
  }

  private String bridge() {
    return "ronbr" + number;
  }

  private String namespace(String name) {
    return "ron%d-%s".formatted(number, name);
  }

  private String address(int last) {
    return "10.213.%d.%d".formatted(number, last);
  }

  private void within(String name, String... words) throws Exception {
    var all = new ArrayList<>(List.of("-n", namespace(name)));
    all.addAll(List.of(words));
    ip(all.toArray(String[]::new));
  }

  private static void ip(String... words) throws IOException, InterruptedException {
    var all = new ArrayList<>(List.of("ip"));
    all.addAll(List.of(words));
    int exit = run(all);
    if (exit != 0) {
      throw new IOException(all + " exited with " + exit);
    }
  }

  private static int run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).inheritIO().start();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      return -1;
    }
    return process.exitValue();
  }

  @Override
  public void close() throws IOException {
    if (namespaces) {
      try {
        for (String each : machines.keySet()) {
          ip("netns", "del", namespace(each));
        }
        ip("link", "del", bridge());
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
