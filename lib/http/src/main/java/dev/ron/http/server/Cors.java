package dev.ron.http.server;

import dev.ron.http.Headers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which other origins' pages may call; none unless configured.
 *
 * <p>Threading: immutable.
 */
public record Cors(List<String> origins) {
  public static final Cors DENY = new Cors(List.of());

  public Cors {
    origins = List.copyOf(origins);
    if (origins.contains("*") && origins.size() > 1) {
      throw new IllegalArgumentException("cors origins = " + origins + ": * stands alone");
    }
  }

  public boolean allows(@Nullable String origin) {
    return origin != null && (origins.contains("*") || origins.contains(origin));
  }

  /** What an answer to an allowed origin carries; never with credentials. */
  public Headers answer(String origin) {
    return new Headers(4)
        .addParsed("Access-Control-Allow-Origin", origins.contains("*") ? "*" : origin)
        .addParsed("Access-Control-Expose-Headers", "ETag, Content-Range, X-Corr-ID, Retry-After")
        .addParsed("Vary", "Origin");
  }

  public Headers preflight(String origin, String methods) {
    return answer(origin)
        .addParsed("Access-Control-Allow-Methods", methods)
        .addParsed(
            "Access-Control-Allow-Headers",
            "Authorization, Content-Type, If-Match, If-None-Match, Range, X-Corr-ID, traceparent")
        .addParsed("Access-Control-Max-Age", "600");
  }
}
