package dev.ron.http.client;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.wire.AnswerHead;
import dev.ron.http.wire.BodyFramer;
import dev.ron.http.wire.HeadParser;
import dev.ron.http.wire.HeadScanner;
import dev.ron.http.wire.UnreadBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateEvent;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The client side of an HTTP/1.1 connection: one call at a time, then back to the pool.
 *
 * <p>Threading: owned by its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class ClientHttp1 extends ChannelInboundHandlerAdapter implements ClientWire {
  private static final int STEP_BYTES = 64 * 1024;
  private static final int HEAD_BYTES_MAX = 32 * 1024;
  private static final HeadParser PARSER = new HeadParser(200);

  private final ConnectionPool pool;
  private final Origin origin;
  private final Channel channel;

  /** Asked at the beginning: a channel that has ended has no handlers any more. */
  private final boolean encrypted;

  private final HeadScanner scanner = new HeadScanner(HEAD_BYTES_MAX);
  private final UnreadBytes input = new UnreadBytes();
  private @Nullable ClientCall call;
  private @Nullable AnswerHead head;
  private @Nullable BodyFramer framing;
  private AnnouncedBody announced = AnnouncedBody.NOTHING;
  private boolean used;
  private boolean ended;
  private boolean closeSaid;
  private boolean advancing;
  private boolean autoRead = true;

  ClientHttp1(ConnectionPool pool, Origin origin, Channel channel) {
    this.pool = pool;
    this.origin = origin;
    this.channel = channel;
    this.encrypted = channel.pipeline().get(SslHandler.class) != null;
  }

  Origin origin() {
    return origin;
  }

  boolean alive() {
    return channel.isActive() && call == null && !input.hasBytes();
  }

  @Override
  public void start(ClientCall next) {
    call = next;
    head = null;
    framing = null;
    ClientRequest request = next.request();
    announced = AnnouncedBody.of(request);
    ByteBuf out = channel.alloc().buffer(512 + request.body().length);
    pool.lines().request(out, request);
    out.writeBytes(request.body());
    channel.writeAndFlush(out);
  }

  @Override
  public void write(ByteBuf bytes) {
    if (!announced.takes(bytes.readableBytes())) {
      bytes.release();
      failed(new ClientFault.Misframed("longer"));
    } else if (!bytes.isReadable()) {
      bytes.release(); // an empty chunk would be the last
    } else if (announced.counted()) {
      channel.writeAndFlush(bytes);
    } else {
      writeChunk(bytes);
    }
  }

  private void writeChunk(ByteBuf bytes) {
    ByteBuf size = channel.alloc().buffer(12);
    ByteBufUtil.writeAscii(size, Integer.toHexString(bytes.readableBytes()));
    size.writeShort('\r' << 8 | '\n');
    channel.write(size);
    channel.write(bytes);
    channel.writeAndFlush(Unpooled.copiedBuffer("\r\n", StandardCharsets.US_ASCII));
  }

  @Override
  public void end(Headers trailers) {
    if (!announced.ends()) {
      failed(new ClientFault.Misframed("shorter"));
      return;
    }
    if (!announced.counted()) {
      ByteBuf out = channel.alloc().buffer(64);
      pool.lines().lastChunk(out, trailers);
      channel.writeAndFlush(out);
    }
    advance();
  }

  @Override
  public boolean writable() {
    return channel.isWritable();
  }

  @Override
  public void pull() {
    advance();
  }

  @Override
  public void cut() {
    call = null;
    announced = AnnouncedBody.NOTHING;
    input.drop();
    channel.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (call == null) {
      bytes.release(); // a server that talks without being asked is not asked again
      ctx.close();
      return;
    }
    input.add(ctx.alloc(), bytes);
    advance();
  }

  private void advance() {
    if (advancing) {
      return;
    }
    advancing = true;
    try {
      while (call != null && step(call)) {
        // goes on as long as something was there
      }
    } catch (Refusal refusal) {
      failed("the answer breaks the protocol: " + refusal.fault().detail());
    } finally {
      advancing = false;
    }
    input.dropIfRead();
    boolean read = call == null || head == null || !input.hasBytes() || call.wanted();
    if (read != autoRead) {
      autoRead = read;
      channel.config().setAutoRead(read);
    }
  }

  private boolean step(ClientCall current) throws Refusal {
    ByteBuf in = input.bytes();
    BodyFramer frames = framing;
    if (head == null || frames == null) {
      return in != null && answerHead(current, in);
    }
    if (!current.wanted()) {
      return false;
    }
    ByteBuf piece = in == null ? null : frames.next(in, STEP_BYTES);
    if (piece != null) {
      current.piece(piece);
      return true;
    }
    if (frames.done()) {
      done(current, frames.trailers());
    } else if (ended && endsHere()) {
      done(current, new Headers(1));
    } else if (ended) {
      failed("the connection ended in the middle of an answer");
    }
    return false;
  }

  /**
   * Over TLS only the server's own word ends what has no other end (RFC 9112, 9.8): on the way
   * between the two a connection can be closed at any byte.
   */
  private boolean endsHere() {
    return head != null && head.bodyLength() == AnswerHead.UNTIL_CLOSE && (closeSaid || !encrypted);
  }

  private boolean answerHead(ClientCall current, ByteBuf in) throws Refusal {
    int length = in.isReadable() ? scanner.scan(in) : 0;
    if (length == 0) {
      return false;
    }
    var bytes = new byte[length];
    in.readBytes(bytes);
    AnswerHead parsed = AnswerHead.parse(bytes, length, current.request().method(), PARSER);
    if (parsed.status() == 101) {
      if (!announced.ended() || !current.request().headers().has("Upgrade")) {
        throw Refusal.malformed("it changed the protocol without being asked");
      }
      upgrade(current, parsed);
      return false;
    }
    if (parsed.status() < 200) {
      current.interim(parsed.status(), parsed.headers());
      return true; // the real one follows
    }
    head = parsed;
    framing = new BodyFramer(parsed.bodyLength(), PARSER);
    current.head(parsed.status(), parsed.headers());
    return true;
  }

  private void upgrade(ClientCall current, AnswerHead parsed) {
    ByteBuf rest = input.take();
    ChannelHandlerContext self = channel.pipeline().context(this);
    call = null;
    pool.left(this);
    current.head(parsed.status(), parsed.headers());
    current.upgraded(channel);
    if (rest != null && rest.isReadable()) {
      self.fireChannelRead(rest);
    } else if (rest != null) {
      rest.release();
    }
    channel.pipeline().remove(this);
  }

  /** The answer is whole: the connection goes back, or away. */
  private void done(ClientCall current, Headers trailers) {
    // An answer before the end of the request leaves the rest of it undefined.
    boolean again =
        announced.whole() && head != null && head.keepAlive() && !ended && !input.hasBytes();
    call = null;
    announced = AnnouncedBody.NOTHING;
    used = true;
    if (again) {
      pool.free(this);
    } else {
      input.drop();
      channel.close();
    }
    current.ended(trailers);
  }

  private void failed(String why) {
    failed(new ClientFault.Upstream(why));
  }

  private void failed(ClientFault why) {
    ClientCall current = call;
    cut();
    if (current != null) {
      current.fail(why.refusal());
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof IdleStateEvent && call == null) {
      ctx.close();
    }
    closeSaid |= event == SslCloseCompletionEvent.SUCCESS;
    ctx.fireUserEventTriggered(event);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (call != null && ctx.channel().isWritable()) {
      call.becameWritable();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    pool.left(this);
    ended = true;
    ClientCall current = call;
    if (current == null) {
      input.drop();
    } else if (head != null) {
      advance(); // what arrived before the end is still the reader's
    } else {
      call = null;
      input.drop();
      if (used && current.mayRetry()) {
        pool.retry(current); // it was idle for too long, and the server closed it meanwhile
      } else {
        current.fail(new ClientFault.Upstream("the connection ended early").refusal());
      }
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    failed("the connection failed: " + cause.getClass().getSimpleName());
  }
}
