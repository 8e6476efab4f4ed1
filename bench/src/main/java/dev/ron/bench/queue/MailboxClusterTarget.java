package dev.ron.bench.queue;

import dev.ron.bench.load.LoopbackConnection;
import dev.ron.bench.process.ChildJvmCommand;
import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.CpuTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Three running {@link MailboxClusterMain}, each line at another of them.
 *
 * <p>Threading: immutable; the processes are thread-safe.
 */
final class MailboxClusterTarget implements QueueServer {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final List<String> NAMES = List.of("a", "b", "c");

  private final List<ChildProcess> processes;
  private final List<Integer> ports;
  private final AtomicInteger next = new AtomicInteger();

  private MailboxClusterTarget(List<ChildProcess> processes, List<Integer> ports) {
    this.processes = List.copyOf(processes);
    this.ports = List.copyOf(ports);
  }

  /**
   * @param groups logs that the shards are spread over, each led by one machine
   */
  static MailboxClusterTarget start(Path folder, int groups)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    var peers = new ArrayList<String>();
    for (String name : NAMES) {
      peers.add("%s = \"127.0.0.1:%d\"".formatted(name, ChildProcess.freePort()));
    }
    var processes = new ArrayList<ChildProcess>();
    var ports = new ArrayList<Integer>();
    try {
      for (String name : NAMES) {
        int port = ChildProcess.freePort();
        ports.add(port);
        var command =
            ChildJvmCommand.command(
                MailboxClusterMain.class,
                Integer.toString(port),
                folder.resolve("node-" + name).toString(),
                name,
                "{ " + String.join(", ", peers) + " }",
                Integer.toString(groups));
        Path log = folder.resolve("node-" + name + ".log");
        processes.add(ChildProcess.listen("ours, " + name, port, command, log, START_LIMIT));
      }
    } catch (IOException | InterruptedException | RuntimeException failed) {
      processes.forEach(ChildProcess::close);
      throw failed;
    }
    return new MailboxClusterTarget(processes, ports);
  }

  @Override
  public MailboxTarget.Line line() throws IOException {
    return new MailboxTarget.Line(wire());
  }

  private LoopbackConnection wire() throws IOException {
    return new LoopbackConnection(ports.get(Math.floorMod(next.getAndIncrement(), ports.size())));
  }

  /** The same machines with each line at one of so many topics, and so at shards of all groups. */
  QueueServer over(int topics) {
    var lines = new AtomicInteger();
    return new QueueServer() {
      @Override
      public QueueLine line() throws IOException {
        return new MailboxTarget.Line(wire(), "bench-" + lines.getAndIncrement() % topics);
      }

      @Override
      public CpuTime cpuTime() {
        return MailboxClusterTarget.this.cpuTime();
      }

      @Override
      public void close() {
        // the machines are closed by whoever started them
      }
    };
  }

  @Override
  public CpuTime cpuTime() {
    return processes.stream().map(ChildProcess::cpuTime).reduce(CpuTime.ZERO, CpuTime::plus);
  }

  @Override
  public void close() {
    processes.forEach(ChildProcess::close);
  }
}
