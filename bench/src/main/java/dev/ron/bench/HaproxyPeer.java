package dev.ron.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

/**
 * HAProxy on a loopback port, as an HTTP proxy with kept connections on both sides and no log.
 *
 * <p>Threading: immutable; the process is thread-safe.
 */
final class HaproxyPeer implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(10);

  private final TempFolder folder;
  private final ChildProcess process;
  private final URI uri;

  private HaproxyPeer(TempFolder folder, ChildProcess process, URI uri) {
    this.folder = folder;
    this.process = process;
    this.uri = uri;
  }

  static Peer find(SearchPath searchPath) {
    return Peer.find(searchPath, "haproxy", "haproxy", "-v");
  }

  static HaproxyPeer proxying(Peer haproxy, URI upstream, int threads)
      throws IOException, InterruptedException {
    Load.requireLoopback(upstream);
    TempFolder folder = TempFolder.create();
    try {
      int port = ChildProcess.freePort();
      var config = folder.path().resolve("haproxy.cfg");
      Files.writeString(config, config(port, upstream, threads));
      ChildProcess process =
          ChildProcess.listen(
              haproxy.name(),
              port,
              List.of(haproxy.command(), "-db", "-f", config.toString()),
              folder.path().resolve("output.log"),
              START_LIMIT);
      return new HaproxyPeer(folder, process, URI.create("http://127.0.0.1:" + port));
    } catch (IOException | InterruptedException | RuntimeException e) {
      folder.close();
      throw e;
    }
  }

  private static String config(int port, URI upstream, int threads) {
    return """
        global
          maxconn %d
          nbthread %d
        defaults
          mode http
          timeout connect 5s
          timeout client 60s
          timeout server 60s
          http-reuse always
        frontend front
          bind 127.0.0.1:%d
          default_backend behind
        backend behind
          server one %s
        """
        .formatted(4 * Load.CONNECTIONS_MAX, threads, port, upstream.getAuthority());
  }

  URI uri() {
    return uri;
  }

  CpuTime cpuTime() {
    return process.cpuTime();
  }

  @Override
  public void close() throws IOException {
    process.close();
    folder.close();
  }
}
