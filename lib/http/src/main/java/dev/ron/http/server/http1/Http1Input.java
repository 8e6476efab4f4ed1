package dev.ron.http.server.http1;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.connection.EventLoopContext;
import dev.ron.http.wire.BodyFramer;
import dev.ron.http.wire.HeadParser;
import dev.ron.http.wire.HeadScanner;
import dev.ron.http.wire.RequestHead;
import dev.ron.http.wire.UnreadBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of an HTTP/1.1 connection: cuts heads and pieces of bodies out of its bytes.
 *
 * <p>Threading: owned by its event loop.
 */
final class Http1Input {
  private static final int STEP_BYTES = 64 * 1024;

  /** The four letters as one number. */
  private static final int HEAD = 'H' << 24 | 'E' << 16 | 'A' << 8 | 'D';

  private final EventLoopContext loop;
  private final HeadParser parser;
  private final HeadScanner scanner;
  private final UnreadBytes unread = new UnreadBytes();
  private @Nullable BodyFramer framing;
  private boolean isHead;

  Http1Input(EventLoopContext loop, HeadParser parser, int headBytesMax) {
    this.loop = loop;
    this.parser = parser;
    this.scanner = new HeadScanner(headBytesMax);
  }

  /** Takes over the buffer. */
  void add(ByteBufAllocator alloc, ByteBuf bytes) {
    unread.add(alloc, bytes);
  }

  /**
   * The next head, or null if it is not there as a whole.
   *
   * @param first nothing came before it, not even the empty line that old clients send
   */
  @Nullable RequestHead head(boolean first) throws Refusal {
    ByteBuf in = unread.bytes();
    if (in == null || !unread.skipEmptyLine(!first)) {
      return null;
    }
    isHead = beginsHead(in);
    int length = in.isReadable() ? scanner.scan(in) : 0;
    if (length == 0) {
      return null;
    }
    byte[] scratch = loop.scratch(length);
    in.readBytes(scratch, 0, length);
    RequestHead head = parser.parse(scratch, length);
    framing = head.hasBody() ? new BodyFramer(head.bodyLength(), parser) : null;
    return head;
  }

  /** The head that was looked at last, whole or not, is one of HEAD. */
  boolean isHead() {
    return isHead;
  }

  private static boolean beginsHead(ByteBuf in) {
    int at = in.readerIndex();
    return in.readableBytes() >= 5 && in.getInt(at) == HEAD && in.getByte(at + 4) == ' ';
  }

  /** The next piece of the current body, or null if it has not arrived. */
  @Nullable ByteBuf piece() throws Refusal {
    ByteBuf in = unread.bytes();
    return in == null || framing == null ? null : framing.next(in, STEP_BYTES);
  }

  /** How much of the current body has not been cut off yet, as far as that is known. */
  long leftAtLeast() {
    return framing == null ? 0 : framing.leftAtLeast();
  }

  boolean bodyDone() {
    return framing == null || framing.done();
  }

  Headers trailers() {
    return framing == null ? new Headers(1) : framing.trailers();
  }

  @Nullable ByteBuf bytes() {
    return unread.bytes();
  }

  boolean hasBytes() {
    return unread.hasBytes();
  }

  void dropIfRead() {
    unread.dropIfRead();
  }

  void drop() {
    unread.drop();
  }

  /** Hands over what is left. */
  @Nullable ByteBuf take() {
    return unread.take();
  }
}
