package dev.ron.bench;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * Varnish on a loopback port as a cache before one upstream, with its built-in rules and its cache
 * in memory.
 *
 * <p>Threading: immutable; the process is thread-safe.
 */
final class VarnishPeer implements AutoCloseable {
  /** It compiles its rules with a C compiler when it starts. */
  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  private final TempFolder folder;
  private final ChildProcess process;
  private final URI uri;

  private VarnishPeer(TempFolder folder, ChildProcess process, URI uri) {
    this.folder = folder;
    this.process = process;
    this.uri = uri;
  }

  static Peer find(SearchPath searchPath) {
    return Peer.find(searchPath, "varnishd", "varnish", "-V");
  }

  static VarnishPeer caching(Peer varnish, URI upstream) throws IOException, InterruptedException {
    Load.requireLoopback(upstream);
    TempFolder folder = TempFolder.create();
    try {
      int port = ChildProcess.freePort();
      List<String> command =
          List.of(
              varnish.command(),
              "-F", // in the foreground, so that it ends with us
              "-j",
              "none", // as whoever started it: it serves this machine for a minute
              "-n",
              folder.path().resolve("work").toString(),
              "-a",
              "127.0.0.1:" + port,
              "-b",
              upstream.getAuthority(),
              "-s",
              "malloc,64m",
              "-T",
              "none");
      ChildProcess process =
          ChildProcess.listen(
              "varnish", port, command, folder.path().resolve("output.log"), START_LIMIT);
      return new VarnishPeer(folder, process, URI.create("http://127.0.0.1:" + port));
    } catch (IOException | InterruptedException | RuntimeException e) {
      folder.close();
      throw e;
    }
  }

  URI uri() {
    return uri;
  }

  /** Of the manager and the child that serves. */
  CpuTime cpuTime() {
    return process.cpuTime();
  }

  @Override
  public void close() throws IOException {
    process.close();
    folder.close();
  }
}
