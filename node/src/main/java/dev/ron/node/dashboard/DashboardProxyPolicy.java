package dev.ron.node.dashboard;

import dev.ron.http.Headers;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which parts of a service's answer may appear on the dashboard's origin.
 *
 * <p>The dashboard keeps the operator's capability where every script of its origin can read it,
 * and a service passes on data of other clients: objects, messages, pages of mounted upstreams. So
 * nothing that comes through here is ever a document with scripts or a script, whatever it says of
 * itself. The edge's own map page and its files are the exception: they are known by their paths
 * and by a mark that the edge takes off everything it did not make.
 *
 * <p>Threading: immutable.
 */
final class DashboardProxyPolicy {
  /** The edge says it of its own pages, and of nothing else. */
  static final String MARK = "Ron-Page";

  static final String LOCKED = "sandbox; default-src 'none'; frame-ancestors 'none'";

  /** No browser reads it: what a stored object says it is. */
  private static final String STORED_TYPE = "Ron-Stored-Type";

  private static final Pattern OWN_PAGE = Pattern.compile("/edge/(map|page)/[A-Za-z0-9._~-]+");

  private static final List<String> BACK =
      List.of(
          "Accept-Ranges",
          "Cache-Control",
          "Cache-Status",
          "Content-Encoding",
          "Content-Range",
          "ETag",
          "Preference-Applied",
          "Retry-After",
          "Ron-Durability",
          "Vary");

  /** Types that a browser shows without running anything; all others are bytes to be saved. */
  private static final Set<String> SHOWN =
      Set.of(
          "application/json",
          "application/problem+json",
          "application/vnd.mapbox-vector-tile",
          "application/vnd.maplibre-vector-tile",
          "application/x-ndjson",
          "application/x-protobuf",
          "image/avif",
          "image/gif",
          "image/jpeg",
          "image/png",
          "image/webp",
          "text/csv",
          "text/event-stream",
          "text/plain");

  private DashboardProxyPolicy() {}

  /** The head that the browser sees. */
  static Headers of(String service, String method, String path, Headers from) {
    var back = new Headers();
    BACK.forEach(name -> from.all(name).forEach(value -> back.add(name, value)));
    String type = from.first("Content-Type");
    if (isOwnPage(service, method, path, from)) {
      if (type != null) {
        back.add("Content-Type", type);
      }
      String policy = from.first("Content-Security-Policy");
      // The map may be shown inside the dashboard, which here is its own origin.
      return back.add(
          "Content-Security-Policy",
          policy == null
              ? LOCKED
              : policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
    }
    back.add("Content-Security-Policy", LOCKED).add("X-Content-Type-Options", "nosniff");
    if (type != null && SHOWN.contains(bare(type))) {
      // Without its parameters: behind one of them a browser reads another type.
      return back.add("Content-Type", text(bare(type)));
    }
    return back.add("Content-Type", "application/octet-stream")
        .add("Content-Disposition", "attachment");
  }

  /**
   * The head of an answer of a door with signatures: bytes to be looked at by the page, which says
   * beside them what type their owner gave them.
   */
  static Headers ofSigned(Headers from) {
    var back = new Headers();
    BACK.forEach(name -> from.all(name).forEach(value -> back.add(name, value)));
    from.forEach(
        (name, value) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          if (lower.startsWith("x-amz-") || lower.equals("last-modified")) {
            back.add(name, value);
          }
        });
    String type = from.first("Content-Type");
    if (type != null) {
      back.add(STORED_TYPE, type);
    }
    return back.add("Content-Security-Policy", LOCKED)
        .add("X-Content-Type-Options", "nosniff")
        .add("Content-Type", "application/octet-stream")
        .add("Content-Disposition", "attachment");
  }

  private static String text(String type) {
    return type.startsWith("text/") ? type + "; charset=utf-8" : type;
  }

  private static boolean isOwnPage(String service, String method, String path, Headers from) {
    return service.equals("edge")
        && (method.equals("GET") || method.equals("HEAD"))
        && OWN_PAGE.matcher(path).matches()
        && from.has(MARK);
  }

  private static String bare(String type) {
    int parameters = type.indexOf(';');
    return (parameters < 0 ? type : type.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
  }
}
