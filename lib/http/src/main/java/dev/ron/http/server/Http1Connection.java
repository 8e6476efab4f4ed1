package dev.ron.http.server;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.wire.BodyFraming;
import dev.ron.http.wire.HeadScanner;
import dev.ron.http.wire.RequestHead;
import dev.ron.http.wire.Unread;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.util.Objects;
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
final class Http1Connection extends ChannelInboundHandlerAdapter {
  private static final int STEP_BYTES = 64 * 1024;

  private final ServerContext server;
  private final Loop loop;
  private final HeadScanner scanner;
  private final Http1Timeouts timeouts;
  private final Unread input = new Unread();
  private @Nullable ChannelHandlerContext context;
  private @Nullable Http1Wire answers;
  private @Nullable Exchange exchange;
  private @Nullable BodyFraming framing;
  private boolean mayBecomeHttp2;
  private boolean bodyEnded;
  private boolean advancing;
  private boolean reading;
  private boolean lingering;
  private boolean autoRead = true;
  private long progress;
  private int discardBytesLeft;

  Http1Connection(ServerContext server, Loop loop, boolean mayBecomeHttp2) {
    this.mayBecomeHttp2 = mayBecomeHttp2;
    this.server = server;
    this.loop = loop;
    this.timeouts = new Http1Timeouts(server, this);
    this.scanner = new HeadScanner(server.config().limits().headBytesMax());
  }

  // ---- bytes coming in

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    answers = new Http1Wire(server, loop, this, ctx);
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
      ctx().flush();
    }
  }

  private boolean nextHead() throws Refusal {
    ByteBuf in = input.bytes();
    if (in == null || isHttp2(in) || !input.skipEmptyLine(progress > 0)) {
      return false;
    }
    int length = in.isReadable() ? scanner.scan(in) : 0;
    if (length == 0) {
      return false;
    }
    byte[] scratch = loop.scratch(length);
    in.readBytes(scratch, 0, length);
    begin(server.parser().parse(scratch, length));
    return true;
  }

  /** True if these first bytes are, or may become, the beginning of HTTP/2. */
  private boolean isHttp2(ByteBuf in) {
    Http2Connection.Preface preface =
        mayBecomeHttp2 ? Http2Connection.preface(in) : Http2Connection.Preface.NO;
    mayBecomeHttp2 = preface == Http2Connection.Preface.PERHAPS;
    if (preface == Http2Connection.Preface.YES) {
      handOver(channel -> Http2Connection.install(channel.pipeline(), server, loop));
    }
    return preface != Http2Connection.Preface.NO;
  }

  private void begin(RequestHead head) {
    progress++;
    wire().begin(head);
    bodyEnded = !head.hasBody();
    framing = bodyEnded ? null : new BodyFraming(head.bodyLength(), server.parser());
    var next = new Exchange(server, wire(), head);
    exchange = next;
    if (bodyEnded) {
      next.body().end(new Headers(1));
    }
    server.dispatch().handle(next);
  }

  /** Takes one piece of the current request's body; false if there is nothing to take. */
  private boolean nextBody(Exchange current) {
    BodyFraming frames = framing;
    ByteBuf in = input.bytes();
    if (frames == null || bodyEnded || !current.body().wanted()) {
      return false;
    }
    try {
      ByteBuf piece = in == null ? null : frames.next(in, STEP_BYTES);
      if (piece != null) {
        progress++;
        wire().bodyCame();
        int pieceBytes = piece.readableBytes();
        current.body().deliver(piece);
        return discardedEnough(current, pieceBytes);
      }
      if (!frames.done()) {
        return false;
      }
    } catch (Refusal refusal) {
      bodyEnded = true;
      current.body().fail(refusal);
      maybeNext();
      return false;
    }
    bodyEnded = true;
    current.body().end(frames.trailers());
    maybeNext();
    return true;
  }

  /** A body nobody wants is read on only a little, to keep the connection; then it is closed. */
  private boolean discardedEnough(Exchange current, int pieceBytes) {
    discardBytesLeft -= pieceBytes;
    if (current.ended() && discardBytesLeft < 0) {
      linger();
      return false;
    }
    return true;
  }

  void refuse(Refusal refusal) {
    bodyEnded = true;
    var head =
        new RequestHead(
            "none", RequestHead.Protocol.HTTP_1_1, "", "/", null, new Headers(1), 0, false);
    var refused = new Exchange(server, wire(), head);
    wire().begin(head);
    exchange = refused;
    server.inflight().entered();
    refused.boundRoute().entered();
    refused.answer(Answer.problem(refusal));
  }

  /** Stops reading while nobody wants what is there already. */
  private void regulate() {
    Exchange current = exchange;
    boolean read =
        lingering
            || current == null
            || !input.hasBytes()
            || (!bodyEnded && current.body().wanted());
    if (read != autoRead) {
      autoRead = read;
      ctx().channel().config().setAutoRead(read);
    }
  }

  /** The exchange's answer is out; goes on with what has arrived in the meantime. */
  void answered() {
    discardBytesLeft = STEP_BYTES;
    if (!bodyEnded && !wire().keepAlive()) {
      linger();
    }
    maybeNext();
    advance();
  }

  private void maybeNext() {
    if (lingering || exchange == null || !wire().answerEnded() || !bodyEnded) {
      return;
    }
    exchange = null;
    framing = null;
    if (!wire().keepAlive()) {
      linger();
    }
  }

  /** Takes nothing more and closes once the peer has the answer. */
  void linger() {
    lingering = true;
    exchange = null;
    boolean clean = bodyEnded && !input.hasBytes();
    input.drop();
    Goodbye.say(ctx(), clean);
    regulate();
  }

  void flushSoon() {
    if (!advancing) {
      ctx().flush();
    }
  }

  /** Gives the connection away, with what has been read from it. */
  void handOver(Consumer<Channel> taker) {
    ChannelHandlerContext ctx = ctx();
    lingering = true; // nothing behind the head is ours any more
    loop.remove(timeouts);
    ByteBuf rest = input.take();
    taker.accept(ctx.channel());
    if (rest != null) {
      ctx.fireChannelRead(rest);
    }
    ctx.pipeline().remove(this);
    ctx.channel().config().setAutoRead(true);
  }

  // ---- the connection's life

  /** Takes nothing new; an idle connection closes, a busy one does so after its answer. */
  void drain() {
    if (exchange == null && !lingering && !input.hasBytes()) {
      ctx().close();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event == Drain.NOW) {
      drain();
    } else if (event == ChannelInputShutdownEvent.INSTANCE) {
      inputEnded(ctx);
    }
    ctx.fireUserEventTriggered(event);
  }

  private void inputEnded(ChannelHandlerContext ctx) {
    wire().closeAfterAnswer();
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
      exchange = null;
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

  /** A piece of the body is missing that somebody waits for. */
  boolean wantsBody() {
    return exchange != null && !bodyEnded && exchange.body().wanted();
  }

  boolean hasUnread() {
    return input.hasBytes();
  }

  boolean lingering() {
    return lingering;
  }

  /** Changes with every request and every piece of a body. */
  long progress() {
    return progress;
  }

  ChannelHandlerContext ctx() {
    return Objects.requireNonNull(context);
  }

  private Http1Wire wire() {
    return Objects.requireNonNull(answers);
  }
}
