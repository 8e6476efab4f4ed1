package dev.ron.http.server;

/**
 * How much is taken at once.
 *
 * @param connectionsPerPeerMax from one address, an IPv6 /64 being one; not for this machine
 * @param headBytesMax request line and fields together
 * @param fieldsMax fields in one head
 * @param bodyBytesMax on the wire, unless the route says otherwise
 * @param inflightMax requests being worked on; the next gets 429
 * @param requestsPerSecondMax 0 for no cap
 */
public record Limits(
    int connectionsMax,
    int connectionsPerPeerMax,
    int headBytesMax,
    int fieldsMax,
    long bodyBytesMax,
    int inflightMax,
    int requestsPerSecondMax) {
  /** So that no three peers fill a server. */
  private static final int PEER_PART = 4;

  public static final Limits HARDENED = new Limits(1024, 16 * 1024, 100, 1024 * 1024, 512, 500);

  /** For benchmarks and trusted networks: the same, without the rate. */
  public static final Limits OPEN = new Limits(1024, 16 * 1024, 100, 1024 * 1024, 512, 0);

  public Limits {
    check("max_connections", connectionsMax, 1, 1 << 20);
    check("max_connections_per_address", connectionsPerPeerMax, 1, 1 << 20);
    check("head_bytes", headBytesMax, 512, 1 << 20);
    check("head_fields", fieldsMax, 8, 1 << 12);
    check("body_bytes", bodyBytesMax, 0, 1L << 50);
    check("inflight", inflightMax, 1, 1 << 20);
    check("rps", requestsPerSecondMax, 0, 1 << 30);
  }

  /** A peer may have a quarter of the connections. */
  public Limits(
      int connectionsMax,
      int headBytesMax,
      int fieldsMax,
      long bodyBytesMax,
      int inflightMax,
      int requestsPerSecondMax) {
    this(
        connectionsMax,
        Math.max(1, connectionsMax / PEER_PART),
        headBytesMax,
        fieldsMax,
        bodyBytesMax,
        inflightMax,
        requestsPerSecondMax);
  }

  /** With the bounds of one service; a rate that was lifted stays so. */
  public Limits bounded(int connections, long body, int inflight, int perSecond) {
    return new Limits(
        connections,
        headBytesMax,
        fieldsMax,
        body,
        inflight,
        requestsPerSecondMax == 0 ? 0 : perSecond);
  }

  private static void check(String key, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "%s = %d, must be %d to %d".formatted(key, value, min, max));
    }
  }
}
