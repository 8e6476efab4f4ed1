package dev.ron.http.wire;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.wire.RequestHead.Protocol;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Cuts one message's body out of the bytes of its connection.
 *
 * <p>Threading: owned by its connection's event loop.
 */
public final class BodyFramer {
  private final @Nullable ChunkedBody chunks;
  private long remaining;

  /**
   * @param bodyLength as a head's framing fields say it
   */
  public BodyFramer(long bodyLength, HeadParser parser) {
    chunks = bodyLength == RequestHead.UNKNOWN ? new ChunkedBody(parser) : null;
    remaining = bodyLength == AnswerHead.UNTIL_CLOSE ? Long.MAX_VALUE : Math.max(0, bodyLength);
  }

  /**
   * What the head says about the length, if it says it in exactly one way.
   *
   * <p>Every doubt is refused, because the program before or after this one may resolve it
   * differently, and what is body here would be a request there.
   */
  static long length(Headers headers, Protocol protocol) throws Refusal {
    int lengths = headers.count("Content-Length");
    int codings = headers.count("Transfer-Encoding");
    if (codings > 0) {
      String coding = headers.first("Transfer-Encoding");
      if (lengths > 0) {
        throw Refusal.malformed("Content-Length and Transfer-Encoding together");
      }
      if (codings > 1 || coding == null || !coding.equalsIgnoreCase("chunked")) {
        throw Refusal.malformed("the only transfer coding taken is a single chunked");
      }
      if (protocol == Protocol.HTTP_1_0) {
        throw Refusal.malformed("HTTP/1.0 has no transfer codings");
      }
      return RequestHead.UNKNOWN;
    }
    if (lengths > 1) {
      throw Refusal.malformed("Content-Length more than once");
    }
    String length = headers.first("Content-Length");
    return length == null ? 0 : decimal(length);
  }

  /** Digits and nothing else; 18 of them always fit a long. */
  public static long decimal(String text) throws Refusal {
    boolean digits = !text.isEmpty() && text.length() <= 18;
    long value = 0;
    for (int i = 0; digits && i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      digits = digit >= 0 && digit <= 9;
      value = value * 10 + digit;
    }
    if (!digits) {
      throw Refusal.malformed("Content-Length is not a number");
    }
    return value;
  }

  /** The next bytes of the body, at most {@code bytesMax}, or null if none have arrived. */
  public @Nullable ByteBuf next(ByteBuf in, int bytesMax) throws Refusal {
    if (chunks != null) {
      return chunks.next(in, bytesMax);
    }
    int step = (int) Math.min(Math.min(in.readableBytes(), bytesMax), remaining);
    if (step == 0) {
      return null;
    }
    remaining -= step;
    return in.readRetainedSlice(step);
  }

  /** How many bytes are still to come at least: of a body in chunks only the chunk's are known. */
  public long leftAtLeast() {
    return chunks == null ? remaining : chunks.leftOfChunk();
  }

  /** True once everything that belongs to the body has been taken from the connection. */
  public boolean done() {
    return chunks == null ? remaining == 0 : chunks.done();
  }

  public Headers trailers() {
    return chunks == null ? new Headers(1) : chunks.trailers();
  }
}
