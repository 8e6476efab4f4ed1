package dev.ron.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * HTTP/2 by hand, so that it can say what a library would refuse to.
 *
 * <p>Threading: owned by the test.
 */
final class RawHttp2 implements AutoCloseable {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int GOAWAY = 7;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

  private final Socket socket;

  RawHttp2(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(5000);
    socket
        .getOutputStream()
        .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    frame(SETTINGS, 0, 0, new byte[0]);
  }

  /** One request on stream 1; the status, or {@code reset}, {@code goaway}, {@code closed}. */
  String ask(List<String> fields, String body) throws IOException {
    var block = new ByteArrayOutputStream();
    for (int i = 0; i < fields.size(); i += 2) {
      block.write(0); // a literal that is not remembered, with a new name
      text(block, fields.get(i));
      text(block, fields.get(i + 1));
    }
    int end = body.isEmpty() ? END_STREAM : 0;
    try {
      frame(HEADERS, END_HEADERS | end, 1, block.toByteArray());
      if (!body.isEmpty()) {
        frame(DATA, END_STREAM, 1, body.getBytes(StandardCharsets.ISO_8859_1));
      }
      return outcome();
    } catch (EOFException | SocketException closed) {
      return "closed";
    } catch (SocketTimeoutException silent) {
      return "silent";
    }
  }

  private String outcome() throws IOException {
    var in = new DataInputStream(socket.getInputStream());
    while (true) {
      int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      byte[] payload = in.readNBytes(length);
      if (type == HEADERS && stream == 1) {
        return status(payload);
      } else if (type == RST_STREAM && stream == 1) {
        return "reset";
      } else if (type == GOAWAY) {
        return "goaway";
      } else if (type == SETTINGS && flags == 0) {
        frame(SETTINGS, 1, 0, new byte[0]);
      }
    }
  }

  private static String status(byte[] block) throws IOException {
    ByteBuf bytes = Unpooled.wrappedBuffer(block);
    try {
      return new DefaultHttp2HeadersDecoder().decodeHeaders(1, bytes).status().toString();
    } catch (io.netty.handler.codec.http2.Http2Exception unreadable) {
      throw new IOException(unreadable);
    } finally {
      bytes.release();
    }
  }

  private void frame(int type, int flags, int stream, byte[] payload) throws IOException {
    var frame = new ByteArrayOutputStream();
    frame.write(payload.length >> 16);
    frame.write(payload.length >> 8);
    frame.write(payload.length);
    frame.write(type);
    frame.write(flags);
    for (int shift = 24; shift >= 0; shift -= 8) {
      frame.write(stream >> shift);
    }
    frame.write(payload);
    socket.getOutputStream().write(frame.toByteArray());
  }

  /** A string without Huffman coding; up to 126 bytes fit in the prefix, longer ones continue. */
  private static void text(ByteArrayOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    int rest = bytes.length;
    if (rest < 127) {
      out.write(rest);
    } else {
      out.write(127);
      rest -= 127;
      while (rest >= 128) {
        out.write(rest % 128 + 128);
        rest /= 128;
      }
      out.write(rest);
    }
    out.write(bytes);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
