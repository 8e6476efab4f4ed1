package dev.ron.bench.store;

import dev.ron.bench.process.ChildJvmCommand;
import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.CpuTime;
import dev.ron.bench.process.Peer;
import dev.ron.bench.s3.S3ProxyPeer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A server that keeps objects, up and running: ours, or S3Proxy on a file system.
 *
 * <p>Threading: immutable; the process is thread-safe.
 */
final class StorageServer implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(40);

  private final ChildProcess process;
  private final URI uri;
  private final String putMethod;
  private final String putPath;

  private StorageServer(ChildProcess process, URI uri, String putMethod, String putPath) {
    this.process = process;
    this.uri = uri;
    this.putMethod = putMethod;
    this.putPath = putPath;
  }

  /** As the node runs it, and with the Vector API, which the node is meant to run with. */
  static StorageServer ours(Path folder) throws IOException, InterruptedException {
    int port = ChildProcess.freePort();
    List<String> command =
        ChildJvmCommand.command(
            StorageTargetMain.class,
            Integer.toString(port),
            folder.resolve("ours").toAbsolutePath().toString());
    command.addAll(1, List.of("--add-modules", "jdk.incubator.vector"));
    ChildProcess process =
        ChildProcess.listen("ours", port, command, folder.resolve("ours.log"), START_LIMIT);
    return new StorageServer(process, uri(port), "POST", "/o");
  }

  static StorageServer s3proxy(Peer peer, Path folder) throws IOException, InterruptedException {
    int port = ChildProcess.freePort();
    ChildProcess process = S3ProxyPeer.start(peer, folder, port, S3ProxyPeer.UNSIGNED);
    return new StorageServer(process, uri(port), "PUT", "/" + S3ProxyPeer.BUCKET + "/");
  }

  private static URI uri(int port) {
    return URI.create("http://127.0.0.1:" + port);
  }

  URI uri() {
    return uri;
  }

  String putMethod() {
    return putMethod;
  }

  /** Where objects are put; one that ends in a slash wants a name behind it. */
  String putPath() {
    return putPath;
  }

  CpuTime cpuTime() {
    return process.cpuTime();
  }

  @Override
  public void close() {
    process.close();
  }
}
