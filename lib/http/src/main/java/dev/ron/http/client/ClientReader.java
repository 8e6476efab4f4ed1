package dev.ron.http.client;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/**
 * Hears the answer to a call, on the call's event loop; ends with exactly one of {@code end},
 * {@code failed} and {@code upgraded}.
 */
public interface ClientReader {
  /** The head of the request is on its way; a streamed body may be written now. */
  default void ready() {}

  /** The server can take more, after {@link ClientCall#writable()} was false. */
  default void writable() {}

  /** A head that is not the answer yet, such as 103; may come several times before it. */
  default void interim(int status, Headers headers) {}

  void head(int status, Headers headers);

  /** A piece of at most 64 KiB, one for each {@link ClientCall#more()}; the reader releases it. */
  void piece(ByteBuf bytes);

  void end(Headers trailers);

  void failed(Refusal refusal);

  /** After a head with status 101: the raw connection is the reader's now. */
  default void upgraded(Channel channel) {
    var _ = channel.close();
  }
}
