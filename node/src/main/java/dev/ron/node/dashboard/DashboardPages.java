package dev.ron.node.dashboard;

import dev.ron.blake3.Blake3;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.route.Routes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;

/**
 * The dashboard's own files, from the class path.
 *
 * <p>The list is closed: a name in a request never becomes a path. A file is read when it is first
 * asked for, so that a start does not pay for pages that are never opened.
 *
 * <p>Threading: immutable.
 */
public final class DashboardPages {
  /** Every file with its type; {@code DashboardPagesTest} compares the list with the folder. */
  static final Map<String, String> FILES =
      Map.ofEntries(
          Map.entry("index.html", "text/html; charset=utf-8"),
          Map.entry("style.css", "text/css; charset=utf-8"),
          Map.entry("icon.svg", "image/svg+xml"),
          Map.entry("api.js", "text/javascript; charset=utf-8"),
          Map.entry("app.js", "text/javascript; charset=utf-8"),
          Map.entry("blake3.js", "text/javascript; charset=utf-8"),
          Map.entry("dom.js", "text/javascript; charset=utf-8"),
          Map.entry("epochs.js", "text/javascript; charset=utf-8"),
          Map.entry("graph.js", "text/javascript; charset=utf-8"),
          Map.entry("live.js", "text/javascript; charset=utf-8"),
          Map.entry("maps.js", "text/javascript; charset=utf-8"),
          Map.entry("metrics.js", "text/javascript; charset=utf-8"),
          Map.entry("objects.js", "text/javascript; charset=utf-8"),
          Map.entry("overview.js", "text/javascript; charset=utf-8"),
          Map.entry("queue.js", "text/javascript; charset=utf-8"));

  /** Only this origin, no inline script: what a service sent can never run here. */
  static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private DashboardPages() {}

  /** Adds the page at {@code /} and each of its files. */
  public static Routes into(Routes routes) {
    routes.get("/", "dashboard", page("index.html"));
    FILES.keySet().stream()
        .sorted()
        .forEach(file -> routes.get("/" + file, "dashboard", page(file)));
    return routes;
  }

  private static Blocking page(String file) {
    String type = Objects.requireNonNull(FILES.get(file));
    return exchange -> {
      byte[] bytes = read(file);
      String tag = "\"" + Blake3.hash(bytes).toString() + "\"";
      boolean known = tag.equals(exchange.headers().first("If-None-Match"));
      Answer answer = known ? Answer.empty(304) : Answer.bytes(200, type, bytes);
      return answer
          .with("Content-Security-Policy", POLICY)
          .with("Cache-Control", "no-cache")
          .with("ETag", tag);
    };
  }

  static byte[] read(String file) {
    try (InputStream in = DashboardPages.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks the dashboard's " + file);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("reading the dashboard's " + file, e);
    }
  }
}
