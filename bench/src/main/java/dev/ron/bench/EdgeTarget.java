package dev.ron.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A running {@link EdgeTargetMain}.
 *
 * <p>Threading: immutable; the process is thread-safe.
 */
final class EdgeTarget implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final ChildProcess process;
  private final URI uri;

  private EdgeTarget(ChildProcess process, URI uri) {
    this.process = process;
    this.uri = uri;
  }

  /** Starts it on a free port before an upstream; it keeps its data and its log in the folder. */
  static EdgeTarget start(URI upstream, Path folder, int tries)
      throws IOException, InterruptedException {
    int port = ChildProcess.freePort();
    var command =
        ChildJvm.command(
            EdgeTargetMain.class,
            Integer.toString(port),
            upstream.toString(),
            folder.toString(),
            Integer.toString(tries));
    return new EdgeTarget(
        ChildProcess.listen("edge", port, command, folder.resolve("edge.log"), START_LIMIT),
        URI.create("http://127.0.0.1:" + port));
  }

  URI uri() {
    return uri;
  }

  CpuTime cpuTime() {
    return process.cpuTime();
  }

  @Override
  public void close() {
    process.close();
  }
}
