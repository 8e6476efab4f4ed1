package dev.ron.http.client;

import dev.ron.http.Headers;
import io.netty.buffer.ByteBuf;

/**
 * How one call reaches its server; HTTP/1.1 and HTTP/2 have one each.
 *
 * <p>Threading: every method on the call's event loop.
 */
interface ClientWire {
  /** Sends the head, and the body if it is in memory. */
  void start(ClientCall call);

  void write(ByteBuf bytes);

  void end(Headers trailers);

  boolean writable();

  void pull();

  /** Gives up; the connection is not used again, or the stream is reset. */
  void cut();
}
