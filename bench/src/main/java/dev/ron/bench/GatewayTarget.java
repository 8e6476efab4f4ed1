package dev.ron.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A running {@link GatewayTargetMain} with one route for everything.
 *
 * <p>Threading: immutable; the process is thread-safe.
 */
final class GatewayTarget implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  private final ChildProcess process;
  private final URI uri;

  private GatewayTarget(ChildProcess process, URI uri) {
    this.process = process;
    this.uri = uri;
  }

  /**
   * @param places toward the upstream
   * @param settings more of them, as {@code key=value}
   */
  static GatewayTarget start(URI upstream, int places, Path log, String... settings)
      throws IOException, InterruptedException {
    int port = ChildProcess.freePort();
    List<String> all = new ArrayList<>();
    all.add("bind=127.0.0.1:" + port);
    all.add(
        "routes=[{prefix=\"/\",auth=\"none\",timeout=\"30s\",max_concurrent=%d,upstreams=[\"%s\"]}]"
            .formatted(places, upstream));
    all.addAll(Arrays.asList(settings));
    var command = ChildJvm.command(GatewayTargetMain.class, all.toArray(String[]::new));
    return new GatewayTarget(
        ChildProcess.listen("gateway", port, command, log, START_LIMIT),
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
