package dev.ron.http.testing;

import dev.ron.testkit.RawHttp2;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2HeadersDecoder;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** An HTTP/2 client that sends any frame it is told to, also wrong ones. */
public final class RawFrames implements AutoCloseable {
  public static final int END_STREAM = 1;
  public static final int END_HEADERS = 4;
  private static final int DATA = 0;
  public static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final short INITIAL_WINDOW = 4;
  private static final int READ_LIMIT_MILLIS = 20_000;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final Http2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false);

  public RawFrames(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(READ_LIMIT_MILLIS);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    frame(SETTINGS, 0, 0, new byte[0]);
  }

  /**
   * Opens a window of so many bytes for each stream and for the connection.
   *
   * @param from what comes from the socket, perhaps slowed
   */
  public RawFrames(Socket socket, InputStream from, int window) throws IOException {
    this.socket = socket;
    in = new DataInputStream(from);
    out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    byte[] bytes = ByteBuffer.allocate(6).putShort(INITIAL_WINDOW).putInt(window).array();
    frame(SETTINGS, 0, 0, bytes);
    open(0, window);
  }

  private void open(int stream, int bytes) throws IOException {
    frame(WINDOW_UPDATE, 0, stream, ByteBuffer.allocate(4).putInt(bytes).array());
  }

  /** How long the body of an answer is that ends or is reset; windows open as it is read. */
  public long bodyLength(int stream) throws IOException {
    long length = 0;
    Frame frame = next();
    while (frame.stream != stream
        || (frame.type != RST_STREAM && (frame.flags & END_STREAM) == 0)) {
      if (frame.type == DATA) {
        length += frame.payload.length;
        open(0, frame.payload.length);
        open(stream, frame.payload.length);
        out.flush();
      }
      frame = next();
    }
    return length + (frame.type == DATA ? frame.payload.length : 0);
  }

  /** The fields of a GET, each as a literal that no table remembers. */
  public static byte[] get(String path) {
    var block = new ByteArrayOutputStream();
    block.write(0x82); // :method GET
    block.write(0x86); // :scheme http
    field(block, 0x01, "localhost"); // :authority
    field(block, 0x04, path); // :path
    return block.toByteArray();
  }

  private static void field(ByteArrayOutputStream block, int name, String value) {
    byte[] bytes = value.getBytes(StandardCharsets.US_ASCII);
    block.write(name);
    block.write(bytes.length);
    block.writeBytes(bytes);
  }

  public RawFrames frame(int type, int flags, int stream, byte[] payload) throws IOException {
    out.writeByte(payload.length >> 16);
    out.writeShort(payload.length);
    out.writeByte(type);
    out.writeByte(flags);
    out.writeInt(stream);
    out.write(payload);
    return this;
  }

  /** A server that has said GOAWAY may have closed before all was sent. */
  public void flush() throws IOException {
    try {
      out.flush();
    } catch (SocketException _) {
      // what it said can still be read
    }
  }

  /** Reads until the server says GOAWAY; -1 if it closes, or says nothing more, without one. */
  public int goAwayCode() throws IOException {
    return read(Integer.MAX_VALUE);
  }

  /** Waits until the server has seen everything sent so far, or has ended the connection. */
  public void untilSeen() throws IOException {
    frame(PING, 0, 0, new byte[8]);
    flush();
    read(PING);
  }

  private int read(int lastType) throws IOException {
    try {
      while (true) {
        Frame frame = next();
        if (frame.type == GOAWAY) {
          return frame.payload[7];
        }
        if (frame.type == lastType) {
          return -1;
        }
      }
    } catch (EOFException | SocketException _) {
      return -1;
    }
  }

  /** Sends a request's fields, names and values in turn. */
  public RawFrames ask(int stream, boolean last, List<String> fields) throws IOException {
    int flags = END_HEADERS | (last ? END_STREAM : 0);
    frame(HEADERS, flags, stream, RawHttp2.block(fields));
    flush();
    return this;
  }

  public RawFrames data(int stream, boolean last, byte[] bytes) throws IOException {
    frame(DATA, last ? END_STREAM : 0, stream, bytes);
    flush();
    return this;
  }

  /**
   * One whole answer, written as one of HTTP/1.1 is: interim heads, the head, the body. A reset
   * ends it with its code, as in {@code <reset 8>}.
   */
  public String answer(int stream) throws IOException {
    var answer = new StringBuilder();
    while (true) {
      Frame frame = next();
      boolean own = frame.stream == stream;
      if (frame.type == HEADERS) {
        head(frame, own ? answer : new StringBuilder());
      } else if (frame.type == DATA && own) {
        answer.append(new String(frame.payload, StandardCharsets.ISO_8859_1));
      } else if (frame.type == RST_STREAM && own) {
        return answer + "<reset " + frame.payload[3] + ">";
      }
      if (own && frame.type <= HEADERS && (frame.flags & END_STREAM) != 0) {
        return answer.toString();
      }
    }
  }

  /** The code of a reset that comes before the answer to a ping; -1 if none comes. */
  public int resetBeforePing(int stream) throws IOException {
    frame(PING, 0, 0, new byte[8]);
    flush();
    return reset(stream, PING);
  }

  /** Waits until the server resets the stream. */
  public int reset(int stream) throws IOException {
    return reset(stream, Integer.MAX_VALUE);
  }

  private int reset(int stream, int lastType) throws IOException {
    Frame frame = next();
    while (frame.type != lastType) {
      if (frame.type == RST_STREAM && frame.stream == stream) {
        return frame.payload[3];
      }
      frame = next();
    }
    return -1;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Frame(int type, int flags, int stream, byte[] payload) {}

  private Frame next() throws IOException {
    int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
    return new Frame(
        in.readUnsignedByte(), in.readUnsignedByte(), in.readInt(), in.readNBytes(length));
  }

  private void head(Frame frame, StringBuilder into) throws IOException {
    ByteBuf bytes = Unpooled.wrappedBuffer(frame.payload);
    try {
      for (var field : decoder.decodeHeaders(frame.stream, bytes)) {
        into.append(field.getKey()).append(": ").append(field.getValue()).append("\r\n");
      }
      into.append("\r\n");
    } catch (Http2Exception wrong) {
      throw new IOException(wrong);
    } finally {
      bytes.release();
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
