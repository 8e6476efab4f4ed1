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
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
      Stream.of(
              Map.of(
                  "index.html", "text/html; charset=utf-8",
                  "style.css", "text/css; charset=utf-8",
                  "icon.svg", "image/svg+xml"),
              scripts(
                  "api",
                  "app",
                  "blake3",
                  "bucketobject",
                  "buckets",
                  "charts",
                  "cluster",
                  "deadletters",
                  "dom",
                  "epochs",
                  "graph",
                  "history",
                  "live",
                  "logs",
                  "maps",
                  "metrics",
                  "objects",
                  "overview",
                  "preview",
                  "queues",
                  "s3",
                  "settings",
                  "tenants",
                  "uploads"))
          .flatMap(files -> files.entrySet().stream())
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

  /** Only this origin, no inline script: what a service sent can never run here. */
  static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private DashboardPages() {}

  private static Map<String, String> scripts(String... names) {
    return Stream.of(names)
        .collect(Collectors.toMap(name -> name + ".js", _ -> "text/javascript; charset=utf-8"));
  }

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
