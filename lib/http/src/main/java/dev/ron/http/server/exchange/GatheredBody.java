package dev.ron.http.server.exchange;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a body, taken on the event loop before its blocking handler asks: most bodies
 * have arrived with their head and are whole then.
 *
 * <p>Without it a handler's thread goes to sleep twice, for the one piece and for the end, and the
 * event loop is woken for each. With it the thread begins when the body is there. It takes no more
 * than one step's bytes; a handler that reads more goes on from here by itself.
 *
 * <p>Threading: owned by the event loop; {@link #whole} is for the handler's thread.
 */
final class GatheredBody implements BodyReader {
  static final int BYTES_MAX = 64 * 1024;

  private final RequestBody body;
  private final ByteArrayOutputStream bytes;
  private volatile byte @Nullable [] whole;

  GatheredBody(RequestBody body, int bytesExpected) {
    this.body = body;
    this.bytes = new ByteArrayOutputStream(Math.min(bytesExpected, BYTES_MAX));
  }

  /** All of it, or null if it is not there or too long to wait for. */
  byte @Nullable [] whole() {
    return whole;
  }

  /** What has come so far, in pieces for the reader that goes on. */
  List<ByteBuf> soFar() {
    byte[] all = bytes.toByteArray();
    var pieces = new ArrayList<ByteBuf>();
    for (int from = 0; from < all.length; from += BYTES_MAX) {
      pieces.add(Unpooled.wrappedBuffer(all, from, Math.min(BYTES_MAX, all.length - from)));
    }
    return pieces;
  }

  @Override
  public void piece(ByteBuf piece) {
    try {
      byte[] copy = new byte[piece.readableBytes()];
      piece.readBytes(copy);
      bytes.writeBytes(copy);
    } finally {
      piece.release();
    }
    if (bytes.size() < BYTES_MAX) {
      body.more();
    }
  }

  @Override
  public void end(Headers trailers) {
    whole = bytes.toByteArray();
  }

  @Override
  public void failed(Refusal refusal) {
    // The body remembers it for its reader; a handler that does not read need not know.
  }
}
