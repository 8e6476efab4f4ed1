package dev.ron.http.client;

import dev.ron.http.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * All settings of a client.
 *
 * <p>Threading: immutable.
 *
 * @param connect for name, connection and handshake together
 * @param idle after which an unused connection is closed
 * @param connectionsPerOriginMax for each event loop
 * @param trusted PEM file of the only certificates to trust; empty for those the JDK trusts
 */
public record HttpClientConfig(
    Transport transport,
    int loops,
    Duration connect,
    Duration idle,
    int connectionsPerOriginMax,
    AddressPolicy addresses,
    Optional<Path> trusted) {
  public HttpClientConfig {
    if (loops < 1 || loops > 64) {
      throw new IllegalArgumentException("loops = " + loops + ", must be 1 to 64");
    }
    if (connect.toMillis() < 1 || idle.toMillis() < 1) {
      throw new IllegalArgumentException("connect = " + connect + ", idle = " + idle);
    }
    if (connectionsPerOriginMax < 1) {
      throw new IllegalArgumentException("connections per origin = " + connectionsPerOriginMax);
    }
  }

  /** Public addresses only, certificates verified. */
  public static HttpClientConfig standard() {
    return new HttpClientConfig(
        Transport.AUTO,
        1,
        Duration.ofSeconds(2),
        Duration.ofSeconds(30),
        128,
        AddressPolicy.PUBLIC,
        Optional.empty());
  }

  public HttpClientConfig with(AddressPolicy other) {
    return new HttpClientConfig(
        transport, loops, connect, idle, connectionsPerOriginMax, other, trusted);
  }

  public HttpClientConfig trusting(Path certificates) {
    return new HttpClientConfig(
        transport,
        loops,
        connect,
        idle,
        connectionsPerOriginMax,
        addresses,
        Optional.of(certificates));
  }

  public HttpClientConfig withConnectionsPerOriginMax(int max) {
    return new HttpClientConfig(transport, loops, connect, idle, max, addresses, trusted);
  }
}
