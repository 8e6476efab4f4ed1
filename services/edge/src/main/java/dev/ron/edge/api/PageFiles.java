package dev.ron.edge.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.edge.EdgeFault;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * {@code GET /edge/page/{file}}: scripts and style sheets of the map page, from the class path.
 *
 * <p>Threading: thread-safe; each file is read once.
 */
final class PageFiles implements Verb<String, PageFiles.Reply> {
  /** Taken off what upstreams say, so that nothing but the edge's own pages has it. */
  static final String MARK = "Ron-Page";

  private static final String OWN = "/dev/ron/edge/page/";
  private static final String LIBRARY = "/META-INF/resources/webjars/mapbox-gl/1.13.0/dist/";

  /** What may be fetched, and where it is. The library's build for pages with a strict policy. */
  private static final Map<String, String> SERVED =
      Map.of(
          "map.js", OWN + "map.js",
          "map.css", OWN + "map.css",
          "gl.js", LIBRARY + "mapbox-gl-csp.js",
          "gl-worker.js", LIBRARY + "mapbox-gl-csp-worker.js",
          "gl.css", LIBRARY + "mapbox-gl.css");

  /** A worker is held to the policy of its own answer, not to the page's. */
  private static final String WORKER_POLICY = "default-src 'none'; connect-src 'self'";

  private final Map<String, byte[]> read = new ConcurrentHashMap<>();

  record Reply(String file, String resource) {}

  @Override
  public String parse(Exchange exchange) throws Refusal {
    return exchange.param("file");
  }

  @Override
  public Reply handle(String file) throws Refusal {
    String resource = SERVED.get(file);
    if (resource == null) {
      throw Refusal.of(new EdgeFault.NotFound("no such file belongs to the page"));
    }
    return new Reply(file, resource);
  }

  @Override
  public Answer write(Reply reply) {
    String file = reply.file();
    Headers headers =
        Headers.of(
            "Content-Type",
            file.endsWith(".js") ? "text/javascript; charset=utf-8" : "text/css; charset=utf-8",
            "Cache-Control",
            "public, max-age=3600",
            MARK,
            "file");
    if (file.equals("gl-worker.js")) {
      headers.add("Content-Security-Policy", WORKER_POLICY);
    }
    return new Answer(200, headers, new Body.Bytes(load(reply.resource())));
  }

  byte[] bytes(String own) {
    return load(OWN + own);
  }

  String text(String own) {
    return new String(bytes(own), UTF_8);
  }

  private byte[] load(String resource) {
    return read.computeIfAbsent(resource, PageFiles::open);
  }

  private static byte[] open(String resource) {
    try (InputStream in = PageFiles.class.getResourceAsStream(resource)) {
      return Objects.requireNonNull(in, resource).readAllBytes();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
