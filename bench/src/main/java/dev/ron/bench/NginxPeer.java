package dev.ron.bench;

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
 * <p>The settings are those a person would use who wants it to be fast: no access log, sendfile,
 * long keep-alive, cached file handles. A peer that was left untuned would prove nothing.
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

  /** Serves the files under {@code root}. */
  public static NginxPeer serving(Peer nginx, Path root, int workers)
      throws IOException, InterruptedException {
    String location =
        """
            root "%s";
            open_file_cache max=1000 inactive=60s;
        """
            .formatted(plain(root.toAbsolutePath().toString()));
    return start(nginx, workers, "", location);
  }

  /** Passes each request on to {@code upstream}, over kept connections. */
  public static NginxPeer proxying(Peer nginx, URI upstream, int workers)
      throws IOException, InterruptedException {
    String behind =
        """
          upstream behind { server %s; keepalive 256; }
        """
            .formatted(plain(upstream.getAuthority()));
    String location =
        """
            proxy_pass http://behind;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
        """;
    return start(nginx, workers, behind, location);
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

  private static NginxPeer start(Peer nginx, int workers, String http, String location)
      throws IOException, InterruptedException {
    TempFolder folder = TempFolder.create();
    try {
      int port = ChildProcess.freePort();
      Path config = folder.path().resolve("nginx.conf");
      Files.writeString(config, config(folder.path(), port, workers, http, location));
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

  private static String config(Path folder, int port, int workers, String http, String location) {
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
          sendfile on;
          tcp_nopush on;
          keepalive_timeout 60s;
          keepalive_requests 100000000;
          client_body_temp_path "%1$s/body";
          proxy_temp_path "%1$s/proxy";
          fastcgi_temp_path "%1$s/fastcgi";
          uwsgi_temp_path "%1$s/uwsgi";
          scgi_temp_path "%1$s/scgi";
        %5$s  server {
            listen 127.0.0.1:%4$d backlog=1024;
            location / {
        %6$s    }
          }
        }
        """
            .formatted(plain(folder.toString()), workers, WORKER_CONNECTIONS, port, http, location);
  }

  /** nginx expands dollars and ends strings at quotes; what holds such signs is refused. */
  private static String plain(String text) {
    if (!text.chars().allMatch(c -> c > ' ' && c != 0x7f && "\"'\\$;{}".indexOf(c) < 0)) {
      throw new IllegalArgumentException("not usable in an nginx configuration: " + text);
    }
    return text;
  }
}
