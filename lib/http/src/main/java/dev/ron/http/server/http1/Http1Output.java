package dev.ron.http.server.http1;

import dev.ron.http.Headers;
import dev.ron.http.server.connection.EventLoopContext;
import dev.ron.http.server.exchange.Body;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.exchange.SecurityHeaders;
import dev.ron.http.server.http1.Http1HeadWriter.Framing;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.epoll.EpollSocketChannelConfig;
import io.netty.handler.codec.http.HttpConstants;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of an HTTP/1.1 connection: one answer at a time, framed as its head announced.
 *
 * <p>Threading: owned by its event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class Http1Output {
  /** Up to here a body is copied behind its head, so that both go out in one piece. */
  private static final int COPIED_BYTES_MAX = 8 * 1024;

  /** Up to here reading a file costs less than the three calls that send it from where it is. */
  private static final int READ_BYTES_MAX = 31 * 1024;

  private static final int HEAD_BYTES = 1024;

  /**
   * Gives the same few buffers again and again, so that a file's bytes pass through memory that the
   * processor's caches hold; the channel's own allocator goes on to fresh memory each time.
   */
  private static final ByteBufAllocator READ_BUFFERS =
      new PooledByteBufAllocator(true, 0, 1, 8 * 1024, 5, 0, 32, false);

  private static final ByteBuf CRLF = constant("\r\n");
  private static final ByteBuf LAST_CHUNK = constant("0\r\n\r\n");

  /** What every answer begins with, whatever it will be. */
  private static final ByteBuf BEGINNING = constant("HTTP/1.1 ");

  private static final ByteBuf CONTINUE = constant("HTTP/1.1 100 Continue\r\n\r\n");

  private final Channel channel;
  private final Http1HeadWriter head;
  private Framing framing = Framing.NONE;
  private boolean bodyless;
  private long remaining;
  private int begun;

  Http1Output(Channel channel, EventLoopContext loop) {
    this.channel = channel;
    this.head = new Http1HeadWriter(loop);
  }

  void continues() {
    channel.writeAndFlush(CONTINUE.duplicate());
  }

  void interim(int status, Headers headers) {
    ByteBuf out = channel.alloc().buffer(256);
    ByteBufUtil.writeAscii(out, "HTTP/1.1 " + HttpResponseStatus.valueOf(status) + "\r\n");
    out.writeBytes(SecurityHeaders.lines(headers)).writeBytes(CRLF.duplicate());
    channel.writeAndFlush(out, channel.voidPromise());
  }

  /**
   * Sends one more byte of what every answer begins with, because a peer that is gone only shows
   * when it is sent something and one of HTTP/1.0 knows no interim heads. The head that follows
   * leaves out what was sent.
   */
  void beginning() {
    if (begun < BEGINNING.readableBytes()) {
      channel.writeAndFlush(BEGINNING.duplicate().slice(begun, 1), channel.voidPromise());
      begun++;
    }
  }

  /** How many bytes of the next head are out. */
  int begun() {
    return begun;
  }

  void whole(Exchange exchange, int status, Headers headers, byte[] body, boolean close) {
    boolean silent = exchange.method().equals("HEAD") || status == 304 || status == 204;
    boolean copied = !silent && body.length <= COPIED_BYTES_MAX;
    ByteBuf out = channel.alloc().buffer(768 + (copied ? body.length : 0));
    // A 304 says the length only if the handler knows it; an empty body here is not that length.
    Framing how =
        status == 304 && body.length == 0
            ? Framing.NONE
            : Http1HeadWriter.framing(exchange.head(), status, body.length);
    write(out, exchange, status, headers, how, body.length, close);
    if (copied) {
      out.writeBytes(body);
    }
    channel.write(out, channel.voidPromise());
    if (!silent && !copied) {
      channel.write(Unpooled.wrappedBuffer(body), channel.voidPromise());
    }
  }

  void head(Exchange exchange, int status, Headers headers, long length, boolean close) {
    framing = Http1HeadWriter.framing(exchange.head(), status, length);
    bodyless = exchange.method().equals("HEAD") || status == 304 || status == 204;
    remaining = length;
    ByteBuf out = channel.alloc().buffer(768);
    write(out, exchange, status, headers, framing, length, close);
    channel.write(out, channel.voidPromise());
  }

  private void write(
      ByteBuf out,
      Exchange exchange,
      int status,
      Headers headers,
      Framing how,
      long length,
      boolean close) {
    head.write(out, exchange, status, headers, how, length, close);
    out.skipBytes(begun);
    begun = 0;
  }

  ChannelFuture data(ByteBuf bytes) {
    int length = bytes.readableBytes();
    if (bodyless || length == 0) {
      bytes.release();
      return channel.newSucceededFuture();
    }
    if (framing != Framing.CHUNKED) {
      remaining -= length;
      if (framing == Framing.LENGTH && remaining < 0) {
        bytes.release();
        return channel.newFailedFuture(new IllegalStateException("more body than Content-Length"));
      }
      return channel.writeAndFlush(bytes);
    }
    ByteBuf size = channel.alloc().buffer(12);
    ByteBufUtil.writeAscii(size, Integer.toHexString(length));
    size.writeByte(HttpConstants.CR).writeByte(HttpConstants.LF);
    channel.write(size, channel.voidPromise());
    channel.write(bytes, channel.voidPromise());
    return channel.writeAndFlush(CRLF.duplicate());
  }

  void files(
      Exchange exchange, int status, Headers headers, List<Body.Region> parts, boolean close) {
    Body.Region first = parts.getFirst();
    if (parts.size() == 1 && first.length() <= READ_BYTES_MAX) {
      read(exchange, status, headers, first, close);
    } else {
      head(exchange, status, headers, Body.Regions.length(parts), close);
      sendFiles(parts);
    }
    remaining = 0;
  }

  /** Little is read behind its head and leaves with it in one call of the system. */
  private void read(
      Exchange exchange, int status, Headers headers, Body.Region region, boolean close) {
    int length = (int) region.length();
    ByteBuf out = READ_BUFFERS.directBuffer(HEAD_BYTES + length);
    framing = Http1HeadWriter.framing(exchange.head(), status, length);
    bodyless = false;
    write(out, exchange, status, headers, framing, length, close);
    try {
      for (int had = 0; had < length; ) {
        int read = out.writeBytes(region.file(), region.offset() + had, length - had);
        if (read < 0) {
          throw new EOFException("the file is shorter than the answer");
        }
        had += read;
      }
      channel.write(out, channel.voidPromise());
    } catch (IOException e) {
      out.release();
      channel.close(); // the file that was to be sent cannot be read
    } finally {
      region.letGo();
    }
  }

  /** Head and files leave together: without the cork the head would be a packet of its own. */
  private void sendFiles(List<Body.Region> parts) {
    if (!(channel.config() instanceof EpollSocketChannelConfig tcp)) {
      parts.forEach(part -> channel.write(new Sent(part), channel.voidPromise()));
      return;
    }
    tcp.setTcpCork(true);
    parts
        .subList(0, parts.size() - 1)
        .forEach(part -> channel.write(new Sent(part), channel.voidPromise()));
    channel
        .write(new Sent(parts.getLast()))
        .addListener(
            _ -> {
              if (channel.isActive()) {
                tcp.setTcpCork(false);
              }
            });
  }

  /** False if the answer is shorter than announced, so that the connection cannot go on. */
  boolean end(@Nullable Headers trailers) {
    if (bodyless || framing == Framing.NONE) {
      return true;
    }
    if (framing == Framing.LENGTH) {
      return remaining == 0;
    }
    if (trailers == null || trailers.size() == 0) {
      channel.write(LAST_CHUNK.duplicate(), channel.voidPromise());
      return true;
    }
    ByteBuf out = channel.alloc().buffer(256);
    ByteBufUtil.writeAscii(out, "0\r\n");
    out.writeBytes(SecurityHeaders.lines(trailers)).writeBytes(CRLF.duplicate());
    channel.write(out, channel.voidPromise());
    return true;
  }

  private static ByteBuf constant(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return Unpooled.unreleasableBuffer(
        Unpooled.directBuffer(bytes.length).writeBytes(bytes).asReadOnly());
  }

  /** A region that leaves open what its owner keeps open. */
  private static final class Sent extends DefaultFileRegion {
    private final Body.Region region;

    Sent(Body.Region region) {
      super(region.file(), region.offset(), region.length());
      this.region = region;
    }

    @Override
    protected void deallocate() {
      region.letGo();
    }
  }
}
