package dev.ron.http.testing;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** An HTTP/2 client that sends any frame it is told to, also wrong ones. */
public final class RawFrames implements AutoCloseable {
  public static final int END_STREAM = 1;
  public static final int END_HEADERS = 4;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int READ_LIMIT_MILLIS = 20_000;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  public RawFrames(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(READ_LIMIT_MILLIS);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    frame(SETTINGS, 0, 0, new byte[0]);
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
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        in.skipNBytes(5);
        byte[] payload = in.readNBytes(length);
        if (type == GOAWAY) {
          return payload[7];
        }
        if (type == lastType) {
          return -1;
        }
      }
    } catch (EOFException | SocketException _) {
      return -1;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
