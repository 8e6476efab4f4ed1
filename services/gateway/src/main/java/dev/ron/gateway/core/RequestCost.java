package dev.ron.gateway.core;

/**
 * What a request is charged: the route's price, and one more for each 64 KiB of its body.
 *
 * <p>Threading: stateless.
 */
public final class RequestCost {
  /** Of a route; with the largest body a request costs at most twice that. */
  public static final int ROUTE_MAX = 100;

  /**
   * A body counts up to 6.25 MiB, so that no request waits for more rounds than a route can ask.
   */
  public static final int BODY_MAX = 100;

  private static final int STEP_BYTES = 64 * 1024;

  private RequestCost() {}

  /**
   * @param bodyBytes negative if only its end will tell; it is charged as one step
   */
  public static int of(int routeCost, long bodyBytes) {
    if (routeCost < 1 || routeCost > ROUTE_MAX) {
      throw new IllegalArgumentException("cost = " + routeCost + ", must be 1 to " + ROUTE_MAX);
    }
    return bodyBytes < 0
        ? routeCost + 1
        : routeCost + (int) Math.min(BODY_MAX, bodyBytes / STEP_BYTES);
  }
}
