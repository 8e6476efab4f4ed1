package dev.ron.bench.http;

import dev.ron.bench.process.ChildJvmCommand;
import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.CpuTime;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A server of ours in a JVM of its own, on a free port: {@link HttpTargetMain}, {@link
 * UsageTargetMain}, {@link GatewayTargetMain} or {@link EdgeTargetMain}.
 *
 * <p>Threading: immutable; the process is thread-safe.
 */
final class ServerTarget implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final ChildProcess process;
  private final URI uri;

  private ServerTarget(ChildProcess process, URI uri) {
    this.process = process;
    this.uri = uri;
  }

  /** Serves the files of a folder. */
  static ServerTarget http(Path folder, int loops, Path log)
      throws IOException, InterruptedException {
    int port = ChildProcess.freePort();
    return start("ours", port, log, HttpTargetMain.class, "" + port, "" + loops, folder.toString());
  }

  /**
   * Answers a few bytes, with metering at its own address and without at another port.
   *
   * @param folder of the journal
   */
  static ServerTarget metered(Path folder, int plainPort, int loops, Path log)
      throws IOException, InterruptedException {
    int port = ChildProcess.freePort();
    return start(
        "usage",
        port,
        log,
        UsageTargetMain.class,
        "" + port,
        "" + plainPort,
        "" + loops,
        folder.toString());
  }

  /**
   * The gateway with one route for everything.
   *
   * @param places toward the upstream
   * @param settings more of them, as {@code key=value}
   */
  static ServerTarget gateway(URI upstream, int places, Path log, String... settings)
      throws IOException, InterruptedException {
    int port = ChildProcess.freePort();
    List<String> all = new ArrayList<>();
    all.add("bind=127.0.0.1:" + port);
    all.add(
        "routes=[{prefix=\"/\",auth=\"none\",timeout=\"30s\",max_concurrent=%d,upstreams=[\"%s\"]}]"
            .formatted(places, upstream));
    all.addAll(Arrays.asList(settings));
    return start("gateway", port, log, GatewayTargetMain.class, all.toArray(String[]::new));
  }

  /**
   * The edge before an upstream; it keeps its data and its log in the folder.
   *
   * @param mount more lines about the mount
   */
  static ServerTarget edge(URI upstream, Path folder, int tries, String mount)
      throws IOException, InterruptedException {
    int port = ChildProcess.freePort();
    return start(
        "edge",
        port,
        folder.resolve("edge.log"),
        EdgeTargetMain.class,
        "" + port,
        upstream.toString(),
        folder.toString(),
        "" + tries,
        mount);
  }

  private static ServerTarget start(
      String name, int port, Path log, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    return new ServerTarget(
        ChildProcess.listen(name, port, ChildJvmCommand.command(main, arguments), log, START_LIMIT),
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
