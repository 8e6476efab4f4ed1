package dev.ron.http.server.http1;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.ServerContext;
import dev.ron.http.server.connection.ConnectionSlot;
import dev.ron.http.server.connection.DrainEvent;
import dev.ron.http.server.connection.EventLoopContext;
import dev.ron.http.server.connection.LingeringClose;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.http2.Http2Connection;
import dev.ron.http.wire.RequestHead;
import dev.ron.http.wire.RequestHead.Protocol;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 connection: requests are taken one at a time, so answers keep their order.
 *
 * <p>Bytes behind the current request stay undecoded, and while they wait nothing more is read.
 *
 * <p>Threading: owned by its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
public final class Http1Connection extends ChannelInboundHandlerAdapter {
  private static final int STEP_BYTES = 64 * 1024;
  private static final int PROCESSING = 102;

  private final ServerContext server;
  private final EventLoopContext loop;
  private final Http1Timeouts timeouts;
  private final Http1Input input;
  private final Channel channel;
  private final Http1Wire wire;
  private final ConnectionSlot seat;
  private @Nullable Exchange exchange;
  private boolean mayBecomeHttp2;
  private boolean bodyEnded;
  private boolean advancing;
  private boolean reading;
  private boolean lingering;
  private boolean inputEnded;
  private boolean autoRead = true;
  private long progress;

  public Http1Connection(
      ServerContext server, EventLoopContext loop, Channel channel, boolean mayBecomeHttp2) {
    this.channel = channel;
    this.wire = new Http1Wire(server, loop, this, channel);
    this.mayBecomeHttp2 = mayBecomeHttp2;
    this.server = server;
    this.loop = loop;
    this.timeouts = new Http1Timeouts(server, this, channel);
    this.seat = ConnectionSlot.of(channel);
    this.input = new Http1Input(loop, server.parser(), server.config().limits().headBytesMax());
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    loop.add(timeouts);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (lingering) {
      bytes.release();
      return;
    }
    reading = true;
    loop.awake();
    input.add(ctx.alloc(), bytes);
    advance();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    reading = false;
    ctx.flush();
  }

  /** Goes on as far as the bytes that are there allow. */
  void advance() {
    if (advancing) {
      return;
    }
    advancing = true;
    try {
      boolean more = true;
      while (more && !lingering) {
        more = exchange == null ? nextHead() : nextBody(exchange);
      }
    } catch (Refusal refusal) {
      refuse(refusal);
    } finally {
      advancing = false;
    }
    input.dropIfRead();
    regulate();
    if (!reading) {
      channel.flush();
    }
  }

  private boolean nextHead() throws Refusal {
    RequestHead head = isHttp2() ? null : input.head(progress == 0);
    if (head == null) {
      return false;
    }
    progress++;
    wire.begin(head);
    bodyEnded = !head.hasBody();
    var next = new Exchange(server, wire, head);
    begin(next);
    if (bodyEnded) {
      next.body().end(new Headers(1));
    }
    server.dispatch().handle(next);
    return true;
  }

  /** True if the first bytes are, or may become, the beginning of HTTP/2. */
  private boolean isHttp2() {
    ByteBuf in = input.bytes();
    if (!mayBecomeHttp2 || in == null) {
      return false;
    }
    Http2Connection.Preface preface = Http2Connection.preface(in);
    mayBecomeHttp2 = preface == Http2Connection.Preface.PERHAPS;
    if (preface == Http2Connection.Preface.YES) {
      handOver(channel -> Http2Connection.install(channel.pipeline(), server, loop));
    }
    return preface != Http2Connection.Preface.NO;
  }

  /** Takes one piece of the current request's body; false if there is nothing to take. */
  private boolean nextBody(Exchange current) {
    if (bodyEnded || !current.body().wanted()) {
      return false;
    }
    try {
      ByteBuf piece = input.piece();
      if (piece != null) {
        progress++;
        wire.bodyCame();
        current.body().deliver(piece);
        if (current.body().discardedBytes() > STEP_BYTES) {
          linger(); // a discarded body is read on only a little, to keep the connection
        }
        return true;
      }
      if (!input.bodyDone()) {
        return false;
      }
    } catch (Refusal refusal) {
      bodyEnded = true;
      current.body().fail(refusal);
      maybeNext();
      return false;
    }
    bodyEnded = true;
    current.body().end(input.trailers());
    maybeNext();
    return true;
  }

  void refuse(Refusal refusal) {
    bodyEnded = true;
    var refused = new Exchange(server, wire, RequestHead.unread(Protocol.HTTP_1_1, input.isHead()));
    wire.begin(refused.head());
    begin(refused);
    server.dispatch().refuse(refused, refusal);
  }

  private void begin(Exchange next) {
    if (exchange == null) {
      seat.enter();
    }
    exchange = next;
  }

  private void end() {
    if (exchange != null) {
      exchange = null;
      seat.leave();
    }
  }

  /** Stops reading while the handler does not want what is there already. */
  private void regulate() {
    Exchange current = exchange;
    boolean read =
        lingering
            || current == null
            || !input.hasBytes()
            || (!bodyEnded && current.body().wanted());
    if (read != autoRead) {
      autoRead = read;
      channel.config().setAutoRead(read);
    }
  }

  /**
   * Whether what is left of the body is little enough to be read behind an answer that ends now. If
   * not, the answer has to say that the connection ends: a peer that has it may ask again at once.
   */
  boolean takesRest() {
    return bodyEnded || input.leftAtLeast() <= STEP_BYTES;
  }

  /** The exchange's answer is out; goes on with what has arrived in the meantime. */
  void answered() {
    if (!bodyEnded && !wire.keepAlive()) {
      linger();
    }
    maybeNext();
    advance();
  }

  private void maybeNext() {
    if (lingering || exchange == null || !wire.answerEnded() || !bodyEnded) {
      return;
    }
    end();
    if (!wire.keepAlive()) {
      linger();
    }
  }

  /** Takes nothing more and closes once the peer has the answer. */
  void linger() {
    lingering = true;
    end();
    boolean clean = bodyEnded && !input.hasBytes();
    input.drop();
    LingeringClose.say(channel, clean);
    regulate();
  }

  void flushSoon() {
    loop.awake();
    if (!advancing) {
      channel.flush();
    }
  }

  /** Gives the connection away, with what has been read from it. */
  void handOver(Consumer<Channel> taker) {
    lingering = true; // nothing behind the head is ours any more
    loop.remove(timeouts);
    ByteBuf rest = input.take();
    ChannelHandlerContext self = channel.pipeline().context(this);
    taker.accept(channel);
    if (rest != null) {
      self.fireChannelRead(rest);
    }
    channel.pipeline().remove(this);
    channel.config().setAutoRead(true);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event == DrainEvent.NOW && keptAlive()) {
      lingering = true;
      LingeringClose.say(channel, true);
    } else if (event == ChannelInputShutdownEvent.INSTANCE) {
      inputEnded(ctx);
    }
    ctx.fireUserEventTriggered(event);
  }

  /**
   * It has had a request and has none now. A busy one is closed after its answer; a fresh one is
   * about to send a request, and must hear why it is refused.
   */
  private boolean keptAlive() {
    return progress > 0 && exchange == null && !lingering && !input.hasBytes();
  }

  private void inputEnded(ChannelHandlerContext ctx) {
    inputEnded = true;
    wire.closeAfterAnswer();
    Exchange current = exchange;
    if (current == null) {
      ctx.close();
    } else if (!bodyEnded) {
      bodyEnded = true;
      current.body().fail(Refusal.malformed("the body ended early"));
      maybeNext();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (exchange != null && ctx.channel().isWritable()) {
      exchange.writableAgain();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    loop.remove(timeouts);
    input.drop();
    Exchange current = exchange;
    lingering = true;
    if (current != null) {
      end();
      current.lost();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    server.scope().log().debug("connection-failed", "cause", cause);
    ctx.close();
  }

  @Nullable Exchange exchange() {
    return exchange;
  }

  /** The handler waits for a piece of the body. */
  boolean wantsBody() {
    return exchange != null && !bodyEnded && exchange.body().wanted();
  }

  boolean hasUnread() {
    return input.hasBytes();
  }

  /** The peer sends nothing more; it may still read, or it may be gone. */
  boolean inputEnded() {
    return inputEnded;
  }

  /**
   * Sends something to the peer of an unanswered exchange, to find out whether it is still there.
   */
  void knock(Exchange current) {
    if (current.head().protocol() == Protocol.HTTP_1_0) {
      wire.beginning();
    } else {
      current.interim(PROCESSING, new Headers(1));
    }
    channel.flush();
  }

  /** How often that was done without an interim head, which is possible only a few times. */
  int knocks() {
    return wire.begun();
  }

  /** Changes with every piece of the answer. */
  long answerMoves() {
    return wire.moves();
  }

  boolean lingering() {
    return lingering;
  }

  /** Changes with every request and every piece of a body. */
  long progress() {
    return progress;
  }
}
