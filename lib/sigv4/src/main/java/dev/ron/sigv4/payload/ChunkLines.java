package dev.ron.sigv4.payload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.ron.sigv4.SignatureFault;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Collects a line until its CR LF, from pieces of any size and up to a limit.
 *
 * <p>Threading: owned by the thread that reads the body.
 */
final class ChunkLines {
  /** A size and a signature are under 100 bytes; the longest field after a body is little more. */
  static final int LINE_BYTES_MAX = 1024;

  private final byte[] line = new byte[LINE_BYTES_MAX];
  private int length;

  /** The next line without its end; empty if the bytes end before it does. */
  Optional<String> next(ByteBuffer wire) throws PayloadFailure {
    while (wire.hasRemaining()) {
      if (length == line.length) {
        throw new PayloadFailure(
            new SignatureFault.MalformedChunk(
                "a line between chunks is longer than " + LINE_BYTES_MAX + " bytes"));
      }
      byte b = wire.get();
      line[length++] = b;
      if (b == '\n' && length >= 2 && line[length - 2] == '\r') {
        var text = new String(line, 0, length - 2, ISO_8859_1);
        length = 0;
        return Optional.of(text);
      }
    }
    return Optional.empty();
  }
}
