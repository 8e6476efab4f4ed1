package dev.ron.http.client;

import dev.ron.http.Headers;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Writes the head of an HTTP/1.1 request, each character as the byte it was read from.
 *
 * <p>Nothing is checked here: {@link ClientRequest} has checked method and target, {@link Headers}
 * its names and values. A value that came in as bytes above 127 goes out as the same bytes, which
 * is what passing it on means.
 *
 * <p>Threading: owned by its event loop; it builds in a work space and copies once.
 */
final class RequestHeadWriter {
  private static final byte[] VERSION = ascii(" HTTP/1.1\r\n");
  private static final byte[] HOST = ascii("Host: ");
  private static final byte[] LENGTH = ascii("Content-Length: ");
  private static final byte[] CHUNKED = ascii("Transfer-Encoding: chunked\r\n");

  private byte[] out = new byte[1024];
  private int at;

  void request(ByteBuf to, ClientRequest request) {
    at = 0;
    text(request.method());
    one(' ');
    text(request.target());
    bytes(VERSION);
    if (!request.headers().has("Host")) {
      bytes(HOST);
      text(request.origin().authority());
      end();
    }
    fields(request.headers());
    if (request.announcesLength()) {
      bytes(LENGTH);
      text(Long.toString(request.bodyLength()));
      end();
    } else if (request.bodyLength() < 0) {
      bytes(CHUNKED);
    }
    end();
    to.writeBytes(out, 0, at);
  }

  /** The last chunk and what follows it. */
  void lastChunk(ByteBuf to, Headers trailers) {
    at = 0;
    one('0');
    end();
    fields(trailers);
    end();
    to.writeBytes(out, 0, at);
  }

  private void fields(Headers headers) {
    for (int i = 0; i < headers.size(); i++) {
      text(headers.nameAt(i));
      one(':');
      one(' ');
      text(headers.valueAt(i));
      end();
    }
  }

  private void end() {
    one('\r');
    one('\n');
  }

  private void one(char c) {
    room(1);
    out[at++] = (byte) c;
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

  private void room(int more) {
    if (at + more > out.length) {
      out = java.util.Arrays.copyOf(out, Math.max(at + more, out.length * 2));
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
