package dev.ron.rewarder.input;

import dev.ron.decode.DecodeLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;

/**
 * An input by its first bytes: its format, and its text without gzip or zstd.
 *
 * <p>Threading: owned by the thread that reads.
 *
 * @param raw as it was sealed; a caller that needs the seal reads it to its end
 * @param text decoded
 * @param parquet to be read as a file, not from here
 */
public record DecodedInput(InputStream raw, InputStream text, boolean parquet)
    implements AutoCloseable {
  private static final int GZIP = 0x1f8b;
  private static final int ZSTD = 0x28b52ffd;
  private static final int PARQUET = 0x50415231;

  public static DecodedInput open(InputStream sealed, DecodeLimits limits) throws IOException {
    var raw = new PushbackInputStream(sealed, Integer.BYTES);
    byte[] head = raw.readNBytes(Integer.BYTES);
    raw.unread(head);
    int magic = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      magic = (magic << 8) | (i < head.length ? head[i] & 0xff : 0);
    }
    if (magic == PARQUET) {
      return new DecodedInput(raw, InputStream.nullInputStream(), true);
    }
    if (magic >>> 16 == GZIP) {
      return new DecodedInput(raw, new DecodedStream(raw, "gzip", limits), false);
    }
    return new DecodedInput(
        raw, magic == ZSTD ? new DecodedStream(raw, "zstd", limits) : raw, false);
  }

  /** Reads the rest, so that a broken seal shows. */
  public void verify() throws IOException {
    raw.transferTo(java.io.OutputStream.nullOutputStream());
  }

  @Override
  public void close() throws IOException {
    text.close();
    raw.close();
  }
}
