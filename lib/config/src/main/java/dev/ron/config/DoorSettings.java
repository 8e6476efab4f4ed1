package dev.ron.config;

import dev.ron.config.value.ByteSize;
import java.time.Duration;

/**
 * What the HTTP door of a service takes, and how long it waits for clients: the table {@code
 * server} of a service.
 *
 * <p>Threading: immutable.
 */
public record DoorSettings(
    Duration readTimeout,
    Duration writeTimeout,
    Duration idleTimeout,
    int maxConnections,
    int maxInflight,
    int maxRps,
    ByteSize maxBodyBytes) {
  public static DoorSettings read(Section section) {
    return new DoorSettings(
        section
            .key("read_timeout", "5s")
            .doc("For a whole head, and between two pieces of a body.")
            .hardened(WeakerValues.HIGHER)
            .duration("10ms", "10m"),
        section
            .key("write_timeout", "5s")
            .doc("Without any progress while a client does not take its answer.")
            .hardened(WeakerValues.HIGHER)
            .duration("10ms", "10m"),
        section
            .key("idle_timeout", "60s")
            .doc("Between two requests of a connection.")
            .duration("10ms", "1h"),
        section
            .key("max_connections", 1024)
            .doc("Connections at a time, a quarter from one address; requests on more get 429.")
            .hardened(WeakerValues.HIGHER)
            .integer(1, 1 << 20),
        section
            .key("max_inflight", 512)
            .doc("Requests that wait or run; the next gets 429. Storage: at least 2 `pools.work`.")
            .hardened(WeakerValues.HIGHER)
            .integer(1, 1 << 20),
        section
            .key("max_rps", 500)
            .doc("Requests a second; `node.limits = \"open\"` lifts it.")
            .hardened(WeakerValues.HIGHER)
            .integer(1, 1 << 30),
        section
            .key("max_body_bytes", "1MiB")
            .doc("The largest body of a request where its route has no bound of its own.")
            .hardened(WeakerValues.HIGHER)
            .size("1KiB", "1GiB"));
  }
}
