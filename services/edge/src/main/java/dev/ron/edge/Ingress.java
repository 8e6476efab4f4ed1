package dev.ron.edge;

import dev.ron.config.Section;
import dev.ron.config.WeakerValues;
import dev.ron.config.value.ByteSize;
import dev.ron.decode.DecodeLimits;
import dev.ron.http.server.Limits;
import dev.ron.http.server.Timeouts;
import java.time.Duration;

/**
 * What the edge takes from clients, and how long it waits for them.
 *
 * <p>Threading: immutable.
 *
 * @param timeout for a whole head, between two pieces of a body, and without progress of an answer
 * @param idleTimeout between two requests of a connection
 * @param rpsLimit requests a second; 0 for no cap
 * @param decompressMaxRatio how many times larger stored bytes may become by decoding
 */
public record Ingress(
    int maxConnections,
    Duration timeout,
    Duration idleTimeout,
    int maxInflight,
    int rpsLimit,
    ByteSize bodyBytes,
    int decompressMaxRatio,
    ByteSize decompressAbsBytes) {

  static Ingress read(Section section) {
    return new Ingress(
        section
            .key("max_connections", 1024)
            .doc("Open connections; the next gets the place of the longest idle.")
            .hardened(WeakerValues.HIGHER)
            .integer(1, 1 << 20),
        section
            .key("timeout", "5s")
            .doc("For a whole head, between two pieces of a body, and for an answer to move on.")
            .hardened(WeakerValues.HIGHER)
            .duration("10ms", "10m"),
        section
            .key("idle_timeout", "60s")
            .doc("Between two requests of a connection.")
            .duration("10ms", "1h"),
        section
            .key("max_inflight", 512)
            .doc("Requests that wait or run; the next gets 429.")
            .integer(1, 1 << 16),
        section
            .key("rps_limit", 500)
            .live()
            .doc("Requests a second; 0 for no cap.")
            .integer(0, 10_000_000),
        section
            .key("body_bytes", "1MiB")
            .doc("Largest body of a request that is passed through.")
            .hardened(WeakerValues.HIGHER)
            .size("0B", "1TiB"),
        section
            .key("decompress_max_ratio", DecodeLimits.RATIO_DEFAULT)
            .doc("How many times larger a stored tile may become when it is decoded for a client.")
            .hardened(WeakerValues.HIGHER)
            .integer(1, 1000),
        section
            .key("decompress_abs_bytes", "10MiB")
            .doc("Largest tile once it is decoded.")
            .hardened(WeakerValues.HIGHER)
            .size("1KiB", "1GiB"));
  }

  /**
   * @param open lifts the rate, for benchmarks and trusted networks
   */
  Limits limits(boolean open) {
    return new Limits(
        maxConnections,
        Limits.HARDENED.headBytesMax(),
        Limits.HARDENED.fieldsMax(),
        bodyBytes.bytes(),
        maxInflight,
        open ? 0 : rpsLimit);
  }

  /** This, but for what holds without a restart. */
  Ingress taking(Ingress fresh) {
    return new Ingress(
        maxConnections,
        timeout,
        idleTimeout,
        maxInflight,
        fresh.rpsLimit,
        bodyBytes,
        decompressMaxRatio,
        decompressAbsBytes);
  }

  Timeouts timeouts() {
    return new Timeouts(timeout, timeout, idleTimeout, Timeouts.DEFAULT.request());
  }

  /** What stored bytes may become when they are decoded for a client. */
  public DecodeLimits decodeLimits() {
    return new DecodeLimits(
        decompressAbsBytes.bytes(), decompressMaxRatio, DecodeLimits.WINDOW_BYTES_DEFAULT);
  }
}
