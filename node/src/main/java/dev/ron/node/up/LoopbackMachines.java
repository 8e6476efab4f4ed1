package dev.ron.node.up;

import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.kernel.time.SystemTime;
import dev.ron.kernel.time.Time;
import dev.ron.node.AdminConfig;
import dev.ron.node.cluster.ClusterEntry;
import dev.ron.node.profile.ErrorDescriptor;
import dev.ron.node.profile.Terminal;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A whole cluster on loopback, each machine a process of its own: for people who want to see one.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
final class LoopbackMachines {
  private static final String HOST = "127.0.0.1";
  private static final int PORTS_APART = 100;
  private static final Duration READY_WITHIN = Duration.ofMinutes(3);
  private static final Duration END_WITHIN = Duration.ofSeconds(20);
  private static final Duration LOOK = Duration.ofMillis(200);

  private final Path data;
  private final int basePort;
  private final List<String> arguments;
  private final Time time = new SystemTime();
  private final Gate stop = new Gate(time);
  private final List<Machine> machines = new ArrayList<>();

  private record Machine(String name, Process process, Path ready, Path log) {}

  /**
   * @param arguments of {@code ron up}, besides folder and ports
   */
  LoopbackMachines(Path data, int basePort, List<String> arguments) {
    this.data = data;
    this.basePort = basePort;
    this.arguments = arguments;
  }

  void run(int count) throws IOException, InterruptedException {
    Signals.on("TERM", stop::open);
    Signals.on("INT", stop::open);
    try {
      for (int i = 0; i < count && !stop.isOpen(); i++) {
        start(String.valueOf((char) ('a' + i)), basePort + i * PORTS_APART);
      }
      awaitReady();
      if (!stop.isOpen()) {
        table();
        stop.await(Deadline.NEVER);
      }
    } finally {
      end();
    }
  }

  private Path folder(String name) {
    return data.resolve(name);
  }

  private void start(String name, int port) throws IOException, InterruptedException {
    Path ready = data.resolve(name + ".json");
    Files.deleteIfExists(ready);
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    // The terminal is this process's alone: what a machine says is kept in its file.
    command.removeIf(word -> word.startsWith("-D" + ErrorDescriptor.PROPERTY + "="));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.ron.node.Ron", "up"));
    command.addAll(List.of("--data", folder(name).toString(), "--ready-file", ready.toString()));
    command.addAll(List.of("--base-port", Integer.toString(port)));
    command.addAll(arguments);
    var entry = new ClusterEntry(folder(name), port, time);
    if (machines.isEmpty()) {
      entry.initOnce("loopback", name, HOST);
    } else if (!entry.isMember()) {
      awaitOpen(machines.getFirst());
      var first = new ClusterEntry(folder(machines.getFirst().name()), basePort, time);
      command.addAll(List.of("--join", first.invite(), "--node", name, "--address", HOST));
    }
    Path log = data.resolve(name + ".log");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    machines.add(new Machine(name, process, ready, log));
  }

  /** The first opens its doors before the others ask there. */
  private void awaitOpen(Machine first) throws IOException, InterruptedException {
    await(() -> Files.exists(first.ready()), first);
  }

  private void awaitReady() throws IOException, InterruptedException {
    for (Machine each : machines) {
      await(() -> Files.exists(each.ready()), each);
    }
  }

  /** A look at the disk. */
  private interface Look {
    boolean isDone();
  }

  private void await(Look look, Machine machine) throws IOException, InterruptedException {
    Instant limit = time.now().plus(READY_WITHIN);
    while (!look.isDone() && !stop.isOpen()) {
      if (!machine.process().isAlive() || time.now().isAfter(limit)) {
        throw new IOException(
            "machine %s did not come up; what it said is in %s"
                .formatted(machine.name(), machine.log()));
      }
      stop.await(Deadline.in(LOOK, time));
    }
  }

  private void table() {
    System.out.printf("%-8s %-26s %-26s %-26s %s%n", "MACHINE", "GATEWAY", "S3", "SQS", "PROCESS");
    for (int i = 0; i < machines.size(); i++) {
      int port = basePort + i * PORTS_APART;
      System.out.printf(
          "%-8s %-26s %-26s %-26s %d%n",
          machines.get(i).name(),
          "http://%s:%d".formatted(HOST, port),
          "http://%s:%d".formatted(HOST, port + 5),
          "http://%s:%d".formatted(HOST, port + 6),
          machines.get(i).process().pid());
    }
    System.out.printf(
        "%n%d machines are one; any of them can be killed. Ctrl-C drains all.%n", machines.size());
    System.out.printf("admin capability: in %s%n", folder("a").resolve("keys/admin.cap"));
    if (Terminal.out()) {
      System.out.print(StartTable.next(commands()));
    }
  }

  /** A start of one node writes a profile; here each command says which machine it asks. */
  private Map<String, String> commands() {
    var commands = new LinkedHashMap<String, String>();
    String token =
        "export RON_CAP=$(%s)".formatted(StartTable.command("cap show --data " + folder("a")));
    commands.put(token, "the operator's, on all machines");
    commands.put(
        StartTable.command("cluster status" + doors(1)), "what b sees, also when a is gone");
    commands.put(
        StartTable.command("up --data %s --base-port %d".formatted(folder("a"), basePort)),
        "brings a back after a kill");
    return commands;
  }

  private String doors(int machine) {
    int port = basePort + machine * PORTS_APART;
    return " --url http://%1$s:%2$d --admin http://%1$s:%3$d"
        .formatted(HOST, port + 2, port + AdminConfig.PORT_OFFSET);
  }

  private void end() throws InterruptedException {
    for (Machine each : machines) {
      each.process().destroy();
    }
    for (Machine each : machines) {
      if (!each.process().waitFor(END_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
        each.process().destroyForcibly();
      }
    }
  }
}
