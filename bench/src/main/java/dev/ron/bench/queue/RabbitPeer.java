package dev.ron.bench.queue;

import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.CpuTime;
import dev.ron.bench.process.Peer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * RabbitMQ with one quorum queue, whose log is flushed before a publisher is confirmed.
 *
 * <p>Threading: immutable; the process is thread-safe.
 */
final class RabbitPeer implements QueueServer {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  /** Not the script in the path, which insists on a user and folders of the system's own. */
  private static final Path PROGRAM = Path.of("/usr/lib/rabbitmq/bin/rabbitmq-server");

  private final ChildProcess process;
  private final int port;

  private RabbitPeer(ChildProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  static Peer find() {
    return new Peer(
        "rabbitmq-server",
        "apt-get install rabbitmq-server",
        null,
        Files.isExecutable(PROGRAM) ? PROGRAM : null);
  }

  static RabbitPeer start(Peer peer, Path folder) throws IOException, InterruptedException {
    int port = ChildProcess.freePort();
    int cluster = ChildProcess.freePort();
    Path home = Files.createDirectories(folder.resolve("rabbitmq"));
    Path config = Files.createFile(home.resolve("rabbitmq.conf"));
    List<String> command =
        List.of(
            "/usr/bin/env",
            "HOME=" + home,
            "RABBITMQ_NODENAME=bench" + port + "@localhost",
            "RABBITMQ_NODE_IP_ADDRESS=127.0.0.1",
            "RABBITMQ_NODE_PORT=" + port,
            "RABBITMQ_DIST_PORT=" + cluster,
            "RABBITMQ_MNESIA_BASE=" + home.resolve("mnesia"),
            "RABBITMQ_LOG_BASE=" + home.resolve("log"),
            "RABBITMQ_CONFIG_FILE=" + config,
            "RABBITMQ_ENABLED_PLUGINS_FILE=" + home.resolve("plugins"),
            peer.command());
    var process =
        ChildProcess.listen(
            peer.name(), port, command, folder.resolve("rabbitmq.log"), START_LIMIT);
    return new RabbitPeer(process, port);
  }

  @Override
  public QueueLine line() throws IOException {
    return new AmqpLine(port);
  }

  @Override
  public CpuTime cpuTime() {
    return process.cpuTime();
  }

  @Override
  public void close() {
    process.close();
  }
}
