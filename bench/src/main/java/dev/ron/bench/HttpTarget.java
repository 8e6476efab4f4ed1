package dev.ron.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A running {@link HttpTargetMain}.
 *
 * <p>Threading: immutable; the process is thread-safe.
 */
final class HttpTarget implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  private final ChildProcess process;
  private final URI uri;

  private HttpTarget(ChildProcess process, URI uri) {
    this.process = process;
    this.uri = uri;
  }

  /** Starts it on a free port; its output goes beside the {@code folder} of files it serves. */
  static HttpTarget start(Path folder, int loops, Path log)
      throws IOException, InterruptedException {
    int port = ChildProcess.freePort();
    var command =
        ChildJvm.command(
            HttpTargetMain.class,
            Integer.toString(port),
            Integer.toString(loops),
            folder.toString());
    return new HttpTarget(
        ChildProcess.listen("ours", port, command, log, START_LIMIT),
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
