package dev.ron.http.server.exchange;

import dev.ron.http.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import java.util.List;

/**
 * The way out for the bodies of one exchange: every byte of a body passes here and is counted.
 *
 * <p>Threading: owned by the exchange's event loop.
 */
final class AnswerOutput {
  private final Exchange exchange;
  private final ExchangeWire wire;
  private final boolean counts;
  private long sentBytes;

  AnswerOutput(Exchange exchange, ExchangeWire wire) {
    this.exchange = exchange;
    this.wire = wire;
    // The wire leaves the body of an answer to HEAD out.
    this.counts = !exchange.method().equals("HEAD");
  }

  void whole(int status, Headers headers, byte[] body) {
    sent(body.length);
    wire.whole(exchange, status, headers, body);
  }

  void trailed(int status, Headers headers, Body.Trailed body) {
    sent(body.bytes().length);
    wire.trailed(exchange, status, headers, body);
  }

  /** Counted whole when it begins: the system tells nothing of the bytes in between. */
  void files(int status, Headers headers, List<Body.Region> parts) {
    sent(Body.Regions.length(parts));
    wire.files(exchange, status, headers, parts);
  }

  /** Takes over the buffer. */
  ChannelFuture data(ByteBuf bytes) {
    sent(bytes.readableBytes());
    return wire.data(bytes);
  }

  private void sent(long bytes) {
    if (counts) {
      sentBytes += bytes;
      exchange.sent(bytes);
    }
  }

  long sentBytes() {
    return sentBytes;
  }
}
