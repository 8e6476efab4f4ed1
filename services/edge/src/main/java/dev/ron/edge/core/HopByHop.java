package dev.ron.edge.core;

import dev.ron.http.Headers;
import dev.ron.http.field.NameSet;
import dev.ron.http.field.ProxyFields;

/**
 * Fields that concern one connection and are neither passed on nor kept (RFC 9110 section 7.6.1).
 *
 * <p>Threading: stateless.
 */
public final class HopByHop {
  /**
   * What is kept has no trailers; {@code Ron-Page} is between the edge and the dashboard, and says
   * that a page is the edge's own.
   */
  private static final NameSet OURS = NameSet.of("Trailer", "Ron-Page");

  private HopByHop() {}

  static boolean is(String name) {
    return ProxyFields.isHopByHop(name) || OURS.has(name);
  }

  /** A copy without them, and without those that {@code Connection} names. */
  public static Headers without(Headers head) {
    return ProxyFields.endToEnd(head, OURS);
  }
}
