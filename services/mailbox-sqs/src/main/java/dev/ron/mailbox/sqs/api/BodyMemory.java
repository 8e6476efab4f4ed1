package dev.ron.mailbox.sqs.api;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.mailbox.sqs.SqsFault;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of bodies are in memory, all requests together.
 *
 * <p>A body must be whole before its signature can be checked, so any client can have one read. A
 * request that finds no room is told to come again.
 *
 * <p>Threading: thread-safe; the number is only ever changed by adding.
 */
final class BodyMemory {
  /** A message of 1 MiB is three times as long as a form, and somewhat more. */
  static final int BODY_BYTES_MAX = 8 << 20;

  private final long bytesMax;
  private final AtomicLong held = new AtomicLong();

  BodyMemory(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** The bytes of one request; what they take is given back by closing. */
  final class Held implements AutoCloseable {
    private final long reserved;
    private final byte[] bytes;

    private Held(long reserved, byte[] bytes) {
      this.reserved = reserved;
      this.bytes = bytes;
    }

    byte[] bytes() {
      return bytes;
    }

    @Override
    public void close() {
      held.addAndGet(-reserved);
    }
  }

  /** Reads the body; where its length is not said, the most that it may have is reserved. */
  Held read(Exchange exchange) throws IOException {
    long length = exchange.head().bodyLength();
    long wanted = length < 0 ? BODY_BYTES_MAX : Math.min(length, BODY_BYTES_MAX);
    if (held.addAndGet(wanted) > bytesMax) {
      held.addAndGet(-wanted);
      throw Refusal.of(
          new SqsFault.RequestThrottled("too many requests are read at once", SqsFault.REST));
    }
    try {
      return new Held(wanted, exchange.body().collect(BODY_BYTES_MAX));
    } catch (IOException | RuntimeException failed) {
      held.addAndGet(-wanted);
      throw failed;
    }
  }
}
