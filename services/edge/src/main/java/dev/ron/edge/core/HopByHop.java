package dev.ron.edge.core;

import dev.ron.http.Headers;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Fields that concern one connection and are not passed on (RFC 9110 section 7.6.1).
 *
 * <p>Threading: immutable.
 */
public final class HopByHop {
  private static final Set<String> ALWAYS =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-authenticate",
          "proxy-authentication-info",
          "proxy-authorization",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private HopByHop() {}

  /** A copy without them, and without those that {@code Connection} names. */
  public static Headers without(Headers head) {
    Set<String> named = named(head.all("Connection"));
    var rest = new Headers(Math.max(4, head.size()));
    head.forEach(
        (name, value) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          if (!ALWAYS.contains(lower) && !named.contains(lower)) {
            rest.addParsed(name, value);
          }
        });
    return rest;
  }

  private static Set<String> named(List<String> lines) {
    var names = new HashSet<String>();
    for (String line : lines) {
      for (String name : line.split(",", -1)) {
        names.add(name.strip().toLowerCase(Locale.ROOT));
      }
    }
    return names;
  }
}
