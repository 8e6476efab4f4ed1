package dev.ron.edge.core;

import dev.ron.http.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What an unsafe request makes worthless (RFC 9111 section 4.4).
 *
 * <p>Threading: immutable; pure functions.
 */
public final class Invalidation {
  /** A method whose safety is unknown counts as unsafe. */
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

  private Invalidation() {}

  /** The keys of answers that must not be used after this one came. */
  public static List<CacheKey> of(String method, CacheKey asked, int status, Headers answer) {
    boolean succeeded = status >= 200 && status < 400;
    if (SAFE.contains(method) || !succeeded) {
      return List.of();
    }
    var keys = new ArrayList<CacheKey>();
    keys.add(asked);
    for (String field : List.of("Location", "Content-Location")) {
      Optional.ofNullable(answer.first(field))
          .flatMap(reference -> resolve(asked, reference))
          .filter(key -> !keys.contains(key))
          .ifPresent(keys::add);
    }
    return keys;
  }

  /**
   * Where a reference leads, if that is the same origin; another's answers are not ours to drop.
   */
  static Optional<CacheKey> resolve(CacheKey base, String reference) {
    int hash = reference.indexOf('#');
    String bare = hash < 0 ? reference : reference.substring(0, hash);
    int scheme = bare.indexOf("://");
    if (scheme > 0 && bare.indexOf('/') > scheme) {
      int path = bare.indexOf('/', scheme + 3);
      String origin = (path < 0 ? bare : bare.substring(0, path)).toLowerCase(Locale.ROOT);
      return origin.equals(base.origin())
          ? Optional.of(new CacheKey(origin, path < 0 ? "/" : normal(bare.substring(path))))
          : Optional.empty();
    }
    if (bare.startsWith("//")) {
      String scheming = base.origin().substring(0, base.origin().indexOf(':'));
      return resolve(base, scheming + ":" + bare);
    }
    if (bare.isEmpty()) {
      return Optional.of(base);
    }
    if (bare.startsWith("/")) {
      return Optional.of(new CacheKey(base.origin(), normal(bare)));
    }
    String path = base.target().split("\\?", 2)[0];
    String folder = bare.startsWith("?") ? path : path.substring(0, path.lastIndexOf('/') + 1);
    return Optional.of(new CacheKey(base.origin(), normal(folder + bare)));
  }

  /** Without dot segments. */
  private static String normal(String target) {
    int mark = target.indexOf('?');
    String path = mark < 0 ? target : target.substring(0, mark);
    var kept = new ArrayList<String>();
    String[] segments = path.substring(1).split("/", -1);
    for (int i = 0; i < segments.length; i++) {
      boolean last = i == segments.length - 1;
      if (segments[i].equals("..")) {
        if (!kept.isEmpty()) {
          kept.removeLast();
        }
      } else if (!segments[i].equals(".")) {
        kept.add(segments[i]);
        continue;
      }
      if (last) {
        kept.add("");
      }
    }
    return "/" + String.join("/", kept) + (mark < 0 ? "" : target.substring(mark));
  }
}
