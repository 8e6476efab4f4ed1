package dev.ron.storage.cluster.api;

import dev.ron.blake3.Address;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.exchange.Query;
import dev.ron.storage.api.StorageContext;
import java.io.IOException;
import java.io.InputStream;

/**
 * What another node asks, whatever brought it here.
 *
 * <p>Threading: owned by the thread that answers it.
 */
interface PeerRequest {
  /** The last segment of the path. */
  Address address() throws Refusal;

  Query query() throws Refusal;

  /** Negative if only its end will tell. */
  long bodyBytes();

  /** To be read once. */
  InputStream body();

  /** The whole body, or a refusal if it is longer than that. */
  byte[] collect(int bytesMax) throws IOException;

  static PeerRequest of(Exchange exchange) {
    return new OverHttp(exchange);
  }

  /**
   * One that a door took in.
   *
   * <p>Threading: as its exchange.
   */
  record OverHttp(Exchange exchange) implements PeerRequest {
    @Override
    public Address address() throws Refusal {
      return StorageContext.address(exchange);
    }

    @Override
    public Query query() throws Refusal {
      return exchange.query();
    }

    @Override
    public long bodyBytes() {
      return exchange.head().bodyLength();
    }

    @Override
    public InputStream body() {
      return exchange.body().stream();
    }

    @Override
    public byte[] collect(int bytesMax) throws IOException {
      return exchange.body().collect(bytesMax);
    }
  }
}
