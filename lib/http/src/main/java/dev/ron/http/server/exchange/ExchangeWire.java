package dev.ron.http.server.exchange;

import dev.ron.http.Headers;
import dev.ron.http.server.connection.EventLoopContext;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How one exchange reaches its peer; HTTP/1.1 and HTTP/2 have one each.
 *
 * <p>Threading: every method on the event loop.
 */
public interface ExchangeWire {
  EventLoopContext loop();

  Channel channel();

  /** Asks for the next piece of the request's body. */
  void pull();

  /** Sends head and body in one go. */
  void whole(Exchange exchange, int status, Headers headers, byte[] body);

  /** Sends head, body and trailers; a wire that can does so in one go. */
  @SuppressWarnings("FutureReturnValueIgnored") // a failed write ends in channelInactive
  default void trailed(Exchange exchange, int status, Headers headers, Body.Trailed body) {
    head(exchange, status, headers, body.length());
    data(Unpooled.wrappedBuffer(body.bytes()));
    end(body.trailers());
  }

  /** Sends a head that is not the answer yet, such as 103 with what to load already. */
  void interim(int status, Headers headers);

  /** Sends a head after which {@code length} bytes follow, or an unknown number if -1. */
  void head(Exchange exchange, int status, Headers headers, long length);

  /** Sends a piece of the body; takes over the buffer. */
  ChannelFuture data(ByteBuf bytes);

  /** True if {@link #files} can be called; where bytes are wrapped it cannot. */
  boolean sendsFiles();

  /** Sends a head and parts of files behind it, one at least. */
  void files(Exchange exchange, int status, Headers headers, List<Body.Region> parts);

  void end(@Nullable Headers trailers);

  /** Gives up in the middle: the peer must notice that the answer is not whole. */
  void cut();

  boolean writable();

  /** The answer is out, whole; the next request may be taken. */
  void answered();

  /** After this answer no other request is taken from the connection. */
  void closeAfterAnswer();

  /** Answers 101 and hands over the connection with what has been read from it. */
  void upgrade(Exchange exchange, Headers headers, Consumer<Channel> taker);
}
