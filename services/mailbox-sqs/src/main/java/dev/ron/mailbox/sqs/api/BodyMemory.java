package dev.ron.mailbox.sqs.api;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.mailbox.sqs.SqsFault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of bodies are in memory, all requests together.
 *
 * <p>A body must be whole before its signature can be checked. A request that finds no room is told
 * to come again.
 *
 * <p>Threading: thread-safe; the number is only ever changed by adding.
 */
final class BodyMemory {
  /** A message of 1 MiB is three times as long as a form, and somewhat more. */
  static final int BODY_BYTES_MAX = 8 << 20;

  private static final int PIECE_BYTES = 16 << 10;

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

  /** Reads the body, and reserves for it as it comes: what is only announced takes nothing. */
  Held read(Exchange exchange) throws IOException {
    long length = exchange.head().bodyLength();
    var reserved = new AtomicLong();
    try {
      reserve(length < 0 ? PIECE_BYTES : Math.min(length, PIECE_BYTES), reserved);
      byte[] body =
          length < 0 || length > PIECE_BYTES
              ? pieces(exchange, reserved)
              : exchange.body().collect(PIECE_BYTES);
      return new Held(reserved.get(), body);
    } catch (IOException | RuntimeException failed) {
      held.addAndGet(-reserved.get());
      throw failed;
    }
  }

  private byte[] pieces(Exchange exchange, AtomicLong reserved) throws IOException {
    var all = new ByteArrayOutputStream(2 * PIECE_BYTES);
    try (InputStream in = exchange.body().stream()) {
      byte[] piece = in.readNBytes(PIECE_BYTES);
      while (piece.length > 0) {
        all.writeBytes(piece);
        if (all.size() > BODY_BYTES_MAX) {
          throw Refusal.of(new HttpFault.BodyCap(BODY_BYTES_MAX));
        }
        reserve(PIECE_BYTES, reserved);
        piece = in.readNBytes(PIECE_BYTES);
      }
    }
    return all.toByteArray();
  }

  private void reserve(long wanted, AtomicLong reserved) throws Refusal {
    if (held.addAndGet(wanted) > bytesMax) {
      held.addAndGet(-wanted);
      throw Refusal.of(
          new SqsFault.RequestThrottled("too many requests are read at once", SqsFault.REST));
    }
    reserved.addAndGet(wanted);
  }
}
