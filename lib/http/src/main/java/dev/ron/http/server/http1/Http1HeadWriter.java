package dev.ron.http.server.http1;

import dev.ron.http.CorrelationId;
import dev.ron.http.Headers;
import dev.ron.http.server.connection.EventLoopContext;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.exchange.SecurityHeaders;
import dev.ron.http.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes the head of an HTTP/1.1 answer.
 *
 * <p>Threading: owned by its event loop; it builds in the loop's work space and copies once.
 */
final class Http1HeadWriter {
  private static final byte[][] STATUS_LINES = new byte[600][];
  private static final byte[] DATE = ascii("Date: ");
  private static final byte[] CRLF = ascii("\r\n");
  private static final byte[] COLON = ascii(": ");
  private static final byte[] LENGTH = ascii("Content-Length: ");
  private static final byte[] CHUNKED = ascii("Transfer-Encoding: chunked\r\n");
  private static final byte[] CLOSE = ascii("Connection: close\r\n");
  private static final byte[] CORR_ID = ascii(CorrelationId.HEADER + ": ");
  private static final byte[] TRACEPARENT = ascii("traceparent: ");

  /** How the peer learns where the body ends. */
  enum Framing {
    LENGTH,
    CHUNKED,
    /** Nothing follows, or the end of the connection ends it. */
    NONE
  }

  private final EventLoopContext loop;
  private byte[] out;
  private int at;

  Http1HeadWriter(EventLoopContext loop) {
    this.loop = loop;
    this.out = loop.scratch(0);
  }

  void write(
      ByteBuf to,
      Exchange exchange,
      int status,
      Headers headers,
      Framing framing,
      long length,
      boolean close) {
    out = loop.scratch(0);
    at = 0;
    bytes(statusLine(status));
    if (!headers.has("Date")) { // a relayed answer keeps the moment it was made
      bytes(DATE);
      bytes(loop.date());
      bytes(CRLF);
    }
    security(exchange.securityHeaders(), headers);
    bytes(CORR_ID);
    text(exchange.corrId());
    bytes(CRLF);
    String trace = exchange.traceparent();
    if (trace != null) {
      bytes(TRACEPARENT);
      text(trace);
      bytes(CRLF);
    }
    fields(headers);
    fields(exchange.extraHeaders());
    framing(framing, length);
    if (close) {
      bytes(CLOSE);
    }
    bytes(CRLF);
    to.writeBytes(out, 0, at);
  }

  private void security(SecurityHeaders security, Headers headers) {
    Headers missing = security.besides(headers);
    if (security.isWhole(missing)) {
      bytes(security.lines());
    } else {
      fields(missing);
    }
  }

  static Framing framing(RequestHead request, int status, long length) {
    if (status == 204 || status < 200) {
      return Framing.NONE;
    }
    if (length >= 0) {
      return Framing.LENGTH;
    }
    return request.protocol() == RequestHead.Protocol.HTTP_1_1 && status != 304
        ? Framing.CHUNKED
        : Framing.NONE;
  }

  /** True if only the end of the connection can tell the end of this body. */
  static boolean endsWithConnection(RequestHead request, int status, long length) {
    return status >= 200
        && status != 204
        && status != 304
        && framing(request, status, length) == Framing.NONE;
  }

  private void framing(Framing framing, long length) {
    switch (framing) {
      case LENGTH -> {
        bytes(LENGTH);
        number(length);
        bytes(CRLF);
      }
      case CHUNKED -> bytes(CHUNKED);
      case NONE -> {}
    }
  }

  private void fields(@Nullable Headers headers) {
    for (int i = 0; headers != null && i < headers.size(); i++) {
      text(headers.nameAt(i));
      bytes(COLON);
      text(headers.valueAt(i));
      bytes(CRLF);
    }
  }

  private void bytes(byte[] bytes) {
    room(bytes.length);
    System.arraycopy(bytes, 0, out, at, bytes.length);
    at += bytes.length;
  }

  @SuppressWarnings("deprecation") // copies Latin-1 as it is; headers hold nothing else
  private void text(String text) {
    room(text.length());
    text.getBytes(0, text.length(), out, at);
    at += text.length();
  }

  private void number(long value) {
    room(20);
    int digits = 1;
    for (long rest = value; rest >= 10; rest /= 10) {
      digits++;
    }
    for (int i = digits - 1; i >= 0; i--) {
      out[at + i] = (byte) ('0' + value % 10);
      value /= 10;
    }
    at += digits;
  }

  private void room(int more) {
    if (at + more > out.length) {
      byte[] old = out;
      out = loop.scratch(at + more);
      System.arraycopy(old, 0, out, 0, at);
    }
  }

  private static byte[] statusLine(int status) {
    byte[] line = STATUS_LINES[status];
    if (line == null) {
      line = ascii("HTTP/1.1 " + HttpResponseStatus.valueOf(status) + "\r\n");
      STATUS_LINES[status] = line; // racing loops write the same bytes
    }
    return line;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
