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
 * nginx on a loopback port, with a configuration of its own in a temporary folder: as a file server
 * or as a proxy.
 *
 * <p>The settings are those a person would use who wants it to be fast: no access log, sendfile
 * where it helps, long keep-alive, cached file handles. A peer that was left untuned would prove
 * nothing.
 *
 * <p>Threading: immutable; the process is thread-safe.
 */
public final class NginxPeer implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(10);

  /** More than a load may open, see {@link Load}, twice over: a proxy needs two per request. */
  private static final int WORKER_CONNECTIONS = 4 * Load.CONNECTIONS_MAX;

  private final TempFolder folder;
  private final ChildProcess process;
  private final URI uri;

  private NginxPeer(TempFolder folder, ChildProcess process, URI uri) {
    this.folder = folder;
    this.process = process;
    this.uri = uri;
  }

  public static Peer find(SearchPath searchPath) {
    return Peer.find(searchPath, "nginx", "nginx", "-v");
  }

  /**
   * What it speaks; HTTP/2 without TLS is spoken from the first byte, so a port has one of them.
   */
  public enum Protocol {
    HTTP_1("", "on"),

    /**
     * Without {@code sendfile}: with it nginx 1.22 answered 92 requests a second on four
     * connections instead of 21,000, each answer waiting some 40 ms for the client's delayed
     * acknowledgement.
     */
    HTTP_2(" http2", "off");

    private final String listenFlag;
    private final String sendfile;

    Protocol(String listenFlag, String sendfile) {
      this.listenFlag = listenFlag;
      this.sendfile = sendfile;
    }
  }

  /** Serves the files under {@code root}. */
  public static NginxPeer serving(Peer nginx, Path root, int workers, Protocol protocol)
      throws IOException, InterruptedException {
    return start(nginx, workers, protocol, "", location("/", files(root)));
  }

  /** Serves the files under {@code root}, and {@code text} at {@code path}, both by HTTP/1.1. */
  public static NginxPeer answering(Peer nginx, String path, String text, Path root, int workers)
      throws IOException, InterruptedException {
    String answer =
        """
              default_type text/plain;
              return 200 "%s";
        """
            .formatted(plain(text));
    String locations = location("= " + plain(path), answer) + location("/", files(root));
    return start(nginx, workers, Protocol.HTTP_1, "", locations);
  }

  /** Passes each HTTP/1.1 request on to {@code upstream}, over kept connections. */
  public static NginxPeer proxying(Peer nginx, URI upstream, int workers)
      throws IOException, InterruptedException {
    Load.requireLoopback(upstream);
    String behind =
        """
          upstream behind { server %s; keepalive 256; }
        """
            .formatted(plain(upstream.getAuthority()));
    String pass =
        """
              proxy_pass http://behind;
              proxy_http_version 1.1;
              proxy_set_header Connection "";
              proxy_set_header Host $host;
        """;
    return start(nginx, workers, Protocol.HTTP_1, behind, location("/", pass));
  }

  /** Its address, without a path. */
  public URI uri() {
    return uri;
  }

  /** Of the master and all workers so far. */
  public CpuTime cpuTime() {
    return process.cpuTime();
  }

  public ChildProcess process() {
    return process;
  }

  @Override
  public void close() throws IOException {
    process.close();
    folder.close();
  }

  private static String location(String path, String settings) {
    return "    location " + path + " {\n" + settings + "    }\n";
  }

  private static String files(Path root) {
    return """
              root "%s";
              open_file_cache max=1000 inactive=60s;
        """
        .formatted(plain(root.toAbsolutePath().toString()));
  }

  private static NginxPeer start(
      Peer nginx, int workers, Protocol protocol, String http, String locations)
      throws IOException, InterruptedException {
    TempFolder folder = TempFolder.create();
    try {
      int port = ChildProcess.freePort();
      Path config = folder.path().resolve("nginx.conf");
      Files.writeString(config, config(folder.path(), port, workers, protocol, http, locations));
      ChildProcess process =
          ChildProcess.listen(
              nginx.name(),
              port,
              List.of(nginx.command(), "-p", folder.path().toString(), "-c", config.toString()),
              folder.path().resolve("output.log"),
              START_LIMIT);
      return new NginxPeer(folder, process, URI.create("http://127.0.0.1:" + port));
    } catch (IOException | InterruptedException | RuntimeException e) {
      folder.close();
      throw e;
    }
  }

  private static String config(
      Path folder, int port, int workers, Protocol protocol, String http, String locations) {
    // Started by root, its workers would become a user who cannot read our temporary folder.
    String user = "root".equals(System.getProperty("user.name")) ? "user root;\n" : "";
    return user
        + """
        daemon off;
        worker_processes %2$d;
        pid "%1$s/nginx.pid";
        error_log stderr warn;
        events { worker_connections %3$d; }
        http {
          access_log off;
          default_type application/octet-stream;
          sendfile %7$s;
          tcp_nopush on;
          keepalive_timeout 60s;
          keepalive_requests 100000000;
          client_body_temp_path "%1$s/body";
          proxy_temp_path "%1$s/proxy";
          fastcgi_temp_path "%1$s/fastcgi";
          uwsgi_temp_path "%1$s/uwsgi";
          scgi_temp_path "%1$s/scgi";
        %5$s  server {
            listen 127.0.0.1:%4$d%8$s backlog=1024;
        %6$s  }
        }
        """
            .formatted(
                plain(folder.toString()),
                workers,
                WORKER_CONNECTIONS,
                port,
                http,
                locations,
                protocol.sendfile,
                protocol.listenFlag);
  }

  /** nginx expands dollars and ends strings at quotes; what holds such signs is refused. */
  private static String plain(String text) {
    if (!text.chars().allMatch(c -> c > ' ' && c != 0x7f && "\"'\\$;{}".indexOf(c) < 0)) {
      throw new IllegalArgumentException("not usable in an nginx configuration: " + text);
    }
    return text;
  }
}
