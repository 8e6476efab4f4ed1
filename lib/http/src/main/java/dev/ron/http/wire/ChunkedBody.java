package dev.ron.http.wire;

import dev.ron.http.FieldText;
import dev.ron.http.Headers;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A body in chunks: sizes in hex, extensions that are checked and dropped, trailers at the end.
 *
 * <p>Threading: owned by its connection's event loop.
 */
final class ChunkedBody {
  /** A size line with extensions; no client needs more, and long ones hide attacks. */
  private static final int LINE_BYTES_MAX = 256;

  private static final int TRAILER_BYTES_MAX = 8 * 1024;

  /** 15 hex digits fit a long with room for the sum. */
  private static final int SIZE_DIGITS_MAX = 15;

  private enum State {
    SIZE,
    DATA,
    DATA_END,
    TRAILERS,
    DONE
  }

  private final HeadParser parser;
  private final HeadScanner trailerScanner = new HeadScanner(TRAILER_BYTES_MAX);
  private State state = State.SIZE;
  private long remaining;
  private Headers trailers = new Headers(1);

  ChunkedBody(HeadParser parser) {
    this.parser = parser;
  }

  boolean done() {
    return state == State.DONE;
  }

  /** Bytes of the chunk that is being read; 0 between two. */
  long leftOfChunk() {
    return remaining;
  }

  Headers trailers() {
    return trailers;
  }

  /** The next bytes of data, or null if there are none yet or none any more. */
  @Nullable ByteBuf next(ByteBuf in, int bytesMax) throws Refusal {
    while (true) {
      boolean advanced =
          switch (state) {
            case SIZE -> size(in);
            case DATA_END -> dataEnd(in);
            case TRAILERS -> trailers(in);
            case DATA, DONE -> false;
          };
      if (advanced) {
        continue;
      }
      if (state != State.DATA || !in.isReadable()) {
        return null;
      }
      int step = (int) Math.min(Math.min(in.readableBytes(), bytesMax), remaining);
      remaining -= step;
      if (remaining == 0) {
        state = State.DATA_END;
      }
      return in.readRetainedSlice(step);
    }
  }

  private boolean size(ByteBuf in) throws Refusal {
    int start = in.readerIndex();
    int seen = Math.min(in.readableBytes(), LINE_BYTES_MAX);
    long size = 0;
    int digits = 0;
    boolean extension = false;
    for (int i = 0; i < seen; i++) {
      int c = in.getByte(start + i);
      if (c == '\r' && digits > 0) {
        return i + 1 < in.readableBytes() && sizeLineEnded(in, start + i + 1, size);
      }
      int digit = extension ? -1 : hex(c);
      if (digit >= 0 && digits < SIZE_DIGITS_MAX) {
        size = size << 4 | digit;
        digits++;
      } else if (digits == 0 || (!extension && c != ';') || !FieldText.isValueByte(c)) {
        throw Refusal.malformed("a chunk does not begin with its size in hex");
      } else {
        extension = true;
      }
    }
    if (seen == LINE_BYTES_MAX) {
      throw Refusal.malformed("a chunk's size line is too long");
    }
    return false;
  }

  private boolean sizeLineEnded(ByteBuf in, int lineFeed, long size) throws Refusal {
    if (in.getByte(lineFeed) != '\n') {
      throw Refusal.malformed("a chunk's size line does not end in CR LF");
    }
    in.readerIndex(lineFeed + 1);
    remaining = size;
    state = size == 0 ? State.TRAILERS : State.DATA;
    return true;
  }

  private boolean dataEnd(ByteBuf in) throws Refusal {
    int readable = in.readableBytes();
    int at = in.readerIndex();
    if ((readable >= 1 && in.getByte(at) != '\r')
        || (readable >= 2 && in.getByte(at + 1) != '\n')) {
      throw Refusal.malformed("a chunk is not followed by CR LF");
    }
    if (readable < 2) {
      return false;
    }
    in.skipBytes(2);
    state = State.SIZE;
    return true;
  }

  private boolean trailers(ByteBuf in) throws Refusal {
    int at = in.readerIndex();
    if (in.isReadable() && in.getByte(at) == '\r') {
      return noTrailers(in, at);
    }
    int length = in.isReadable() ? trailerScanner.scan(in) : 0;
    if (length == 0) {
      return false;
    }
    var bytes = new byte[length];
    in.readBytes(bytes);
    trailers = HeadParser.checkedTrailers(parser.fields(bytes, 0, length - 2));
    state = State.DONE;
    return true;
  }

  private boolean noTrailers(ByteBuf in, int at) throws Refusal {
    if (in.readableBytes() < 2) {
      return false;
    }
    if (in.getByte(at + 1) != '\n') {
      throw Refusal.of(new HttpFault.Malformed("the last chunk is not followed by CR LF"));
    }
    in.skipBytes(2);
    state = State.DONE;
    return true;
  }

  private static int hex(int c) {
    return c >= 0 && c < 128 ? Character.digit(c, 16) : -1;
  }
}
