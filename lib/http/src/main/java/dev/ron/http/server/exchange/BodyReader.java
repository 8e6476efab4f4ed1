package dev.ron.http.server.exchange;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import io.netty.buffer.ByteBuf;

/**
 * Takes a body on the event loop, one piece for each {@link RequestBody#more()}.
 *
 * <p>Threading: called on the event loop only.
 */
public interface BodyReader {
  /** A piece of at most 64 KiB; the reader owns the buffer and releases it. */
  void piece(ByteBuf bytes);

  /** The body is complete. */
  void end(Headers trailers);

  /** The body will not become complete. */
  void failed(Refusal refusal);
}
