package dev.ron.bench.queue;

import dev.ron.bench.load.LoopbackConnection;
import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.CpuTime;
import dev.ron.bench.process.Peer;
import dev.ron.kernel.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Three NATS servers with a stream of three replicas, taken from as a work queue.
 *
 * <p>As {@link NatsPeer}, a version before 2.10 confirms without a flush.
 *
 * <p>Threading: immutable; the processes are thread-safe.
 */
final class NatsClusterPeer implements QueueServer {
  private static final Duration START_LIMIT = Duration.ofSeconds(10);
  private static final int MACHINES = 3;
  private static final int TRIES_MAX = 100;
  private static final SystemTime TIME = new SystemTime();

  private final List<ChildProcess> processes;
  private final List<Integer> ports;
  private final AtomicInteger next = new AtomicInteger();

  private NatsClusterPeer(List<ChildProcess> processes, List<Integer> ports) {
    this.processes = List.copyOf(processes);
    this.ports = List.copyOf(ports);
  }

  static NatsClusterPeer start(Peer peer, Path folder) throws IOException, InterruptedException {
    var ports = new ArrayList<Integer>();
    var routes = new ArrayList<Integer>();
    for (int i = 0; i < MACHINES; i++) {
      ports.add(ChildProcess.freePort());
      routes.add(ChildProcess.freePort());
    }
    var processes = new ArrayList<ChildProcess>();
    try {
      for (int i = 0; i < MACHINES; i++) {
        Path config = folder.resolve("nats-" + i + ".conf");
        Files.writeString(config, config(peer, folder, i, ports, routes));
        processes.add(
            ChildProcess.listen(
                peer.name() + " " + i,
                ports.get(i),
                List.of(peer.command(), "-c", config.toString()),
                folder.resolve("nats-" + i + ".log"),
                START_LIMIT));
      }
      var cluster = new NatsClusterPeer(processes, ports);
      cluster.create();
      return cluster;
    } catch (IOException | InterruptedException | RuntimeException failed) {
      processes.forEach(ChildProcess::close);
      throw failed;
    }
  }

  private static String config(
      Peer peer, Path folder, int machine, List<Integer> ports, List<Integer> routes)
      throws IOException, InterruptedException {
    String sync = NatsPeer.flushes(peer.version()) ? "sync_interval: always" : "";
    return """
    server_name: n%d
    listen: 127.0.0.1:%d
    jetstream { store_dir: "%s" %s }
    cluster { name: bench, listen: 127.0.0.1:%d, routes: [ %s ] }
    """
        .formatted(
            machine,
            ports.get(machine),
            Files.createDirectories(folder.resolve("nats-store-" + machine)),
            sync,
            routes.get(machine),
            String.join(", ", routes.stream().map(port -> "nats://127.0.0.1:" + port).toList()));
  }

  /** Until the servers have found each other, they refuse. */
  private void create() throws IOException, InterruptedException {
    IOException last = new IOException("never asked");
    for (int i = 0; i < TRIES_MAX; i++) {
      try (NatsPeer.Line line = new NatsPeer.Line(new LoopbackConnection(ports.getFirst()))) {
        line.ask(
            "$JS.API.STREAM.CREATE.bench",
            "{\"name\":\"bench\",\"subjects\":[\"bench\"],\"retention\":\"workqueue\","
                + "\"storage\":\"file\",\"num_replicas\":3}");
        line.ask(
            "$JS.API.CONSUMER.DURABLE.CREATE.bench.taker",
            "{\"stream_name\":\"bench\",\"config\":{\"durable_name\":\"taker\","
                + "\"ack_policy\":\"explicit\",\"max_ack_pending\":10000}}");
        return;
      } catch (IOException notYet) {
        last = notYet;
        TIME.sleepUntil(TIME.now().plusMillis(100));
      }
    }
    throw last;
  }

  @Override
  public NatsPeer.Line line() throws IOException {
    int port = ports.get(Math.floorMod(next.getAndIncrement(), ports.size()));
    return new NatsPeer.Line(new LoopbackConnection(port));
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
