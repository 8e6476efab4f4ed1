package dev.ron.storage.s3.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Optional;

/**
 * Cuts a body into the parts of a form while it comes, in one buffer.
 *
 * <p>Reads as the bytes of the part whose head was read last, which end where the next boundary
 * begins.
 *
 * <p>Threading: owned by one thread.
 */
final class FormParts extends InputStream {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int HEAD_BYTES_MAX = 4 << 10;
  private static final int HEAD_LINES_MAX = 16;
  private static final int BOUNDARY_CHARS_MAX = 70;

  private final InputStream in;
  private final byte[] delimiter;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int from;
  private int to;

  FormParts(InputStream in, String boundary) {
    this.in = in;
    this.delimiter = ("\r\n--" + boundary).getBytes(ISO_8859_1);
    // The first boundary has no line before it.
    buffer[0] = '\r';
    buffer[1] = '\n';
    this.to = 2;
  }

  /** The boundary in the type of a form; empty if the type is another. */
  static Optional<String> boundary(String contentType) {
    String[] pieces = contentType.split(";", 8);
    if (!pieces[0].strip().equalsIgnoreCase("multipart/form-data")) {
      return Optional.empty();
    }
    for (String piece : pieces) {
      String text = piece.strip();
      if (text.regionMatches(true, 0, "boundary=", 0, 9)) {
        String value = text.substring(9).replace("\"", "");
        boolean right =
            !value.isEmpty()
                && value.length() <= BOUNDARY_CHARS_MAX
                && value.chars().allMatch(c -> c > ' ' && c < 0x7f);
        return right ? Optional.of(value) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** The head of the next part, once the one before was read to its end; empty behind the last. */
  Optional<FormPart> next() throws IOException {
    if (read() >= 0) {
      throw malformed("something stands before a boundary");
    }
    from += delimiter.length;
    int one = take();
    int two = take();
    if (one == '-' && two == '-') {
      return Optional.empty();
    }
    if (one != '\r' || two != '\n') {
      throw malformed("something stands behind a boundary");
    }
    var lines = new ArrayList<String>();
    int bytes = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      bytes += line.length();
      if (lines.size() == HEAD_LINES_MAX || bytes > HEAD_BYTES_MAX) {
        throw malformed("the head of a part is too long");
      }
      lines.add(line);
    }
    // The boundary of an empty part follows its head at once, without the end of a line between.
    return Optional.of(FormPart.of(lines));
  }

  private String line() throws IOException {
    var line = new ByteArrayOutputStream();
    for (int b = take(); b != '\r'; b = take()) {
      if (line.size() == HEAD_BYTES_MAX || b == '\n') {
        throw malformed("the head of a part is too long, or has a line that does not end");
      }
      line.write(b);
    }
    if (take() != '\n') {
      throw malformed("a line of a part's head does not end");
    }
    return line.toString(UTF_8);
  }

  private int take() throws IOException {
    if (from == to) {
      fill();
    }
    return buffer[from++] & 0xff;
  }

  private void fill() throws IOException {
    System.arraycopy(buffer, from, buffer, 0, to - from);
    to -= from;
    from = 0;
    int count = in.read(buffer, to, buffer.length - to);
    if (count <= 0) {
      throw Refusal.of(new S3Fault.IncompleteBody("the form ended before its last boundary"));
    }
    to += count;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (true) {
      int wanted = Math.min(length, to - from);
      int clear = clear(wanted);
      if (clear > 0) {
        System.arraycopy(buffer, from, bytes, offset, clear);
        from += clear;
        return clear;
      }
      if (to - from >= delimiter.length) {
        return -1;
      }
      fill();
    }
  }

  /** How many of the next bytes are surely none of a boundary. */
  private int clear(int wanted) {
    for (int i = 0; i < wanted; i++) {
      int at = from + i;
      if (buffer[at] == '\r' && mayBeDelimiter(at)) {
        return i;
      }
    }
    return wanted;
  }

  private boolean mayBeDelimiter(int at) {
    int length = Math.min(delimiter.length, to - at);
    for (int i = 1; i < length; i++) {
      if (buffer[at + i] != delimiter[i]) {
        return false;
      }
    }
    return true;
  }

  private static Refusal malformed(String why) {
    return Refusal.of(new S3Fault.MalformedPOSTRequest(why));
  }
}
