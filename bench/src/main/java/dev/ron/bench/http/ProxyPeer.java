package dev.ron.bench.http;

import dev.ron.bench.load.Load;
import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.CpuTime;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.process.TempFolder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A proxy or a cache of somebody else on a loopback port, before one upstream, without a log:
 * HAProxy and Spring Cloud Gateway pass everything on, Varnish keeps what it may.
 *
 * <p>Threading: immutable; the process is thread-safe.
 */
final class ProxyPeer implements AutoCloseable {
  /** Varnish compiles its rules with a C compiler when it starts, and Spring its main class. */
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final TempFolder folder;
  private final ChildProcess process;
  private final URI uri;

  private ProxyPeer(TempFolder folder, ChildProcess process, URI uri) {
    this.folder = folder;
    this.process = process;
    this.uri = uri;
  }

  static Peer haproxy(SearchPath searchPath) {
    return Peer.find(searchPath, "haproxy", "haproxy", "-v");
  }

  static Peer varnish(SearchPath searchPath) {
    return Peer.find(searchPath, "varnishd", "varnish", "-V");
  }

  static Peer spring(SearchPath searchPath) {
    return Peer.fetched(searchPath, "spring-cloud-gateway");
  }

  /** HAProxy with kept connections on both sides. */
  static ProxyPeer haproxy(Peer haproxy, URI upstream, int threads)
      throws IOException, InterruptedException {
    return start(
        haproxy,
        upstream,
        (folder, port) -> {
          Path config = folder.resolve("haproxy.cfg");
          Files.writeString(config, haproxyConfig(port, upstream, threads));
          return List.of(haproxy.command(), "-db", "-f", config.toString());
        });
  }

  /** Spring Cloud Gateway as Spring Boot sets it up by itself. */
  static ProxyPeer spring(Peer spring, URI upstream, int threads)
      throws IOException, InterruptedException {
    return start(
        spring,
        upstream,
        (_, port) ->
            List.of(
                spring.command(), "" + port, "http://" + upstream.getAuthority(), "" + threads));
  }

  /** Varnish with its built-in rules and its cache in memory. */
  static ProxyPeer varnish(Peer varnish, URI upstream) throws IOException, InterruptedException {
    return start(
        varnish,
        upstream,
        (folder, port) ->
            List.of(
                varnish.command(),
                "-F", // in the foreground, so that it ends with us
                "-j",
                "none", // as whoever started it: it serves this machine for a minute
                "-n",
                folder.resolve("work").toString(),
                "-a",
                "127.0.0.1:" + port,
                "-b",
                upstream.getAuthority(),
                "-s",
                "malloc,64m",
                "-T",
                "none"));
  }

  /** What to run, with a folder of its own and a port to listen on. */
  private interface Command {
    List<String> of(Path folder, int port) throws IOException;
  }

  private static ProxyPeer start(Peer peer, URI upstream, Command command)
      throws IOException, InterruptedException {
    Load.requireLoopback(upstream);
    TempFolder folder = TempFolder.create();
    try {
      int port = ChildProcess.freePort();
      ChildProcess process =
          ChildProcess.listen(
              peer.name(),
              port,
              command.of(folder.path(), port),
              folder.path().resolve("output.log"),
              START_LIMIT);
      return new ProxyPeer(folder, process, URI.create("http://127.0.0.1:" + port));
    } catch (IOException | InterruptedException | RuntimeException e) {
      folder.close();
      throw e;
    }
  }

  private static String haproxyConfig(int port, URI upstream, int threads) {
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

  /** Of the process and its children: Varnish serves from one. */
  CpuTime cpuTime() {
    return process.cpuTime();
  }

  @Override
  public void close() throws IOException {
    process.close();
    folder.close();
  }
}
