package dev.ron.http.server.exchange;

import dev.ron.http.Headers;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * An answer's body written from the event loop; what proxying uses.
 *
 * <p>Nothing stops a writer that ignores {@link #writable()}; the writer must pause its source
 * until {@link #onWritable} calls.
 *
 * <p>Threading: owned by the exchange's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
public final class AnswerStream {
  private final Exchange exchange;
  private final ExchangeWire wire;
  private @Nullable Runnable then;

  AnswerStream(Exchange exchange, ExchangeWire wire) {
    this.exchange = exchange;
    this.wire = wire;
  }

  public boolean writable() {
    return wire.writable();
  }

  /** Called whenever the peer can take more, after {@link #writable()} was false. */
  public void onWritable(Runnable next) {
    then = next;
  }

  void writableAgain() {
    if (then != null) {
      then.run();
    }
  }

  /** Takes over the buffer. */
  public void write(ByteBuf bytes) {
    if (exchange.ended()) {
      bytes.release();
      return;
    }
    exchange.output().data(bytes);
  }

  public void end(Headers trailers) {
    exchange.endAnswer(trailers);
  }

  /** Gives up, so that the peer sees the answer is not whole. */
  public void cut() {
    exchange.cut();
  }
}
