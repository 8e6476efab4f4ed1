package dev.ron.testkit;

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
 * HTTP/2 by hand, so that it can say what a library would refuse to: one request on stream 1.
 *
 * <p>Threading: owned by the test.
 */
public final class RawHttp2 implements AutoCloseable {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int GOAWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int FRAME_BYTES_MAX = 16 * 1024;
  private static final int INITIAL_WINDOW = 0xffff;
  private static final int INITIAL_WINDOW_SETTING = 4;

  /** The static table's entries 8 to 14 (RFC 7541, appendix A). */
  private static final List<String> STATUSES =
      List.of("200", "204", "206", "304", "400", "404", "500");

  private final Socket socket;
  private final DataInputStream in;
  private String outcome = "";
  private long connectionWindow = INITIAL_WINDOW;
  private long streamWindow = INITIAL_WINDOW;
  private long initialWindow = INITIAL_WINDOW;

  public RawHttp2(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(10_000);
    in = new DataInputStream(socket.getInputStream());
    socket
        .getOutputStream()
        .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    frame(SETTINGS, 0, 0, new byte[0]);
  }

  /** The status, or {@code reset}, {@code goaway}, {@code closed}, {@code silent}. */
  public String ask(List<String> fields, String body) {
    return ask(fields, body.getBytes(StandardCharsets.ISO_8859_1), List.of());
  }

  /**
   * @param fields names and values in turn, as are the trailers
   */
  public String ask(List<String> fields, byte[] body, List<String> trailers) {
    try {
      boolean bare = body.length == 0 && trailers.isEmpty();
      frame(HEADERS, END_HEADERS | (bare ? END_STREAM : 0), 1, block(fields));
      if (!bare) {
        data(body, trailers.isEmpty());
      }
      if (!trailers.isEmpty() && outcome.isEmpty()) {
        frame(HEADERS, END_HEADERS | END_STREAM, 1, block(trailers));
      }
      while (outcome.isEmpty()) {
        hear();
      }
      return outcome;
    } catch (EOFException | SocketException closed) {
      return outcome.isEmpty() ? "closed" : outcome;
    } catch (SocketTimeoutException silent) {
      return "silent";
    } catch (IOException broken) {
      throw new AssertionError("the server's frames cannot be read", broken);
    }
  }

  /** One request whose answer is not waited for. */
  public void begin(List<String> fields) throws IOException {
    frame(HEADERS, END_HEADERS | END_STREAM, 1, block(fields));
  }

  /** Gives the request up: CANCEL. */
  public void reset() throws IOException {
    frame(RST_STREAM, 0, 1, new byte[] {0, 0, 0, 8});
  }

  /** As far as the windows let it; an answer that comes meanwhile ends it. */
  private void data(byte[] body, boolean last) throws IOException {
    int from = 0;
    do {
      int left = body.length - from;
      int step = (int) Math.min(Math.min(left, FRAME_BYTES_MAX), window());
      while (left > 0 && step <= 0 && outcome.isEmpty()) {
        hear();
        step = (int) Math.min(Math.min(left, FRAME_BYTES_MAX), window());
      }
      if (!outcome.isEmpty()) {
        return;
      }
      boolean end = last && step == left;
      frame(DATA, end ? END_STREAM : 0, 1, java.util.Arrays.copyOfRange(body, from, from + step));
      connectionWindow -= step;
      streamWindow -= step;
      from += step;
    } while (from < body.length);
  }

  private long window() {
    return Math.min(connectionWindow, streamWindow);
  }

  private void hear() throws IOException {
    int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    byte[] payload = in.readNBytes(length);
    if (type == HEADERS && stream == 1) {
      String status = status(payload);
      outcome = status.startsWith("1") ? "" : status;
    } else if (type == RST_STREAM && stream == 1) {
      outcome = "reset";
    } else if (type == GOAWAY) {
      outcome = "goaway";
    } else if (type == WINDOW_UPDATE && stream == 0) {
      connectionWindow += number(payload, 0);
    } else if (type == WINDOW_UPDATE) {
      streamWindow += number(payload, 0);
    } else if (type == SETTINGS && flags == 0) {
      settings(payload);
    }
  }

  private void settings(byte[] payload) throws IOException {
    for (int i = 0; i + 6 <= payload.length; i += 6) {
      if (((payload[i] << 8) | payload[i + 1]) == INITIAL_WINDOW_SETTING) {
        streamWindow += number(payload, i + 2) - initialWindow;
        initialWindow = number(payload, i + 2);
      }
    }
    frame(SETTINGS, 1, 0, new byte[0]);
  }

  private static long number(byte[] bytes, int at) {
    long value = 0;
    for (int i = at; i < at + 4; i++) {
      value = (value << 8) | (bytes[i] & 0xff);
    }
    return value;
  }

  /** The first field of the block, which is the status: indexed, or three digits. */
  private static String status(byte[] block) throws IOException {
    int at = 0;
    while ((block[at] & 0xe0) == 0x20) {
      at++; // a change of the table's size
    }
    int first = block[at] & 0xff;
    if (first >= 0x88 && first <= 0x8e) {
      return STATUSES.get(first - 0x88);
    }
    if ((first & 0x3f) != 8 && (first & 0x0f) != 8) {
      throw new IOException("the block does not begin with a status");
    }
    boolean huffman = (block[at + 1] & 0x80) != 0;
    return huffman ? huffmanDigits(block, at + 2) : new String(block, at + 2, 3, latin());
  }

  /** Digits have codes of 5 bits from 0 to 2 and of 6 bits from 3 on (RFC 7541, appendix B). */
  private static String huffmanDigits(byte[] block, int from) {
    int bits = 0;
    for (int i = 0; i < 3; i++) {
      bits = (bits << 8) | (from + i < block.length ? block[from + i] & 0xff : 0);
    }
    var digits = new StringBuilder();
    int at = 24;
    while (digits.length() < 3) {
      int five = (bits >> (at - 5)) & 0x1f;
      boolean small = five <= 2;
      digits.append(small ? five : ((bits >> (at - 6)) & 0x3f) - 0x19 + 3);
      at -= small ? 5 : 6;
    }
    return digits.toString();
  }

  /** Names and values in turn, each as a literal that no table remembers; one byte a character. */
  public static byte[] block(List<String> fields) {
    var block = new ByteArrayOutputStream();
    for (int i = 0; i < fields.size(); i += 2) {
      block.write(0); // a literal that is not remembered, with a new name
      text(block, fields.get(i));
      text(block, fields.get(i + 1));
    }
    return block.toByteArray();
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
    frame.writeBytes(payload);
    socket.getOutputStream().write(frame.toByteArray());
  }

  /** A string without Huffman coding; up to 126 bytes fit in the prefix, longer ones continue. */
  private static void text(ByteArrayOutputStream out, String text) {
    byte[] bytes = text.getBytes(latin());
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
    out.writeBytes(bytes);
  }

  private static java.nio.charset.Charset latin() {
    return StandardCharsets.ISO_8859_1;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
