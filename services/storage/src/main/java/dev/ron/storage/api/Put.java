package dev.ron.storage.api;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.storage.object.BodyBudget;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.ObjectStore.Written;
import dev.ron.storage.object.Permits;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * {@code PUT /o/{address}} and {@code POST /o}: an object in one request.
 *
 * <p>A body of up to 1 MiB is read before a place in the pool is taken, so that a client that
 * stalls holds none. A larger one, where the configuration takes it, is stored as it comes.
 *
 * <p>Threading: immutable.
 */
record Put(StorageContext desk) {
  private static final int IN_MEMORY_BYTES = 1 << 20;

  Blocking named() {
    return exchange -> put(exchange, StorageContext.address(exchange));
  }

  Blocking unnamed() {
    return exchange -> put(exchange, null);
  }

  private Answer put(Exchange exchange, @Nullable Address expected)
      throws IOException, InterruptedException {
    Instant begun = desk.time().now();
    long most = desk.config().sizes().putBytes().bytes();
    Written written =
        most <= IN_MEMORY_BYTES || announced(exchange) <= IN_MEMORY_BYTES
            ? whole(exchange, expected)
            : streamed(exchange, expected);
    if (written instanceof Written.Stored(_, long size, _)) {
      desk.metrics().bytesIn().inc(size);
      desk.metrics().chunksWritten().inc(Math.ceilDiv(size, 64 << 10));
    }
    desk.metrics().putSeconds().observe(desk.secondsSince(begun));
    return answer(desk, exchange, written);
  }

  /** What the head says of the plain body; a coded or chunked one may be any length. */
  private static long announced(Exchange exchange) {
    long length = exchange.head().bodyLength();
    return length < 0 || exchange.headers().has("Content-Encoding") ? Long.MAX_VALUE : length;
  }

  private Written whole(Exchange exchange, @Nullable Address expected)
      throws IOException, InterruptedException {
    try (BodyBudget.Held body = desk.body(exchange, IN_MEMORY_BYTES);
        Permits.Place _ = desk.puts().enter()) {
      Address address = expected == null ? new Address(Blake3.hash(body.bytes())) : expected;
      return desk.stock().put(address, ObjectStore.Source.of(body.bytes()));
    }
  }

  private Written streamed(Exchange exchange, @Nullable Address expected)
      throws IOException, InterruptedException {
    try (Permits.Place _ = desk.puts().enter();
        InputStream in = exchange.body().stream()) {
      return desk.stock().putOnce(expected, in);
    }
  }

  /** Who could not read the object is not told either whether it was there before. */
  static Answer answer(StorageContext desk, Exchange exchange, Written written) {
    return switch (written) {
      case Written.Stored(Address address, long size, boolean fresh) ->
          desk.durable(
              Answer.bytes(
                      fresh || !desk.mayRead(exchange, address) ? 201 : 200,
                      "application/json",
                      StorageJson.JSON.write(StorageJson.ObjectView.of(address, size)))
                  .with("Location", "/o/" + address)
                  .with("ETag", "\"" + address + "\""));
      case Written.Refused(var fault) -> Answer.problem(fault);
    };
  }
}
