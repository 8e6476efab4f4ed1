package dev.ron.storage.s3.block;

import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.encryption.ContentKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of an object to be stored once more, such as with another key.
 *
 * <p>Threading: owned by the thread that reads.
 */
public final class ContentStream extends InputStream {
  /** So much is in memory at a time. */
  private static final long STEP_BYTES = 1 << 20;

  private final ObjectBodyReader reader;
  private final ObjectContent content;
  private final @Nullable ContentKey key;
  private final long to;
  private long at;
  private InputStream step = InputStream.nullInputStream();

  /**
   * @param to the first byte that is not wanted
   */
  public ContentStream(
      ObjectBodyReader reader,
      ObjectContent content,
      @Nullable ContentKey key,
      long from,
      long to) {
    this.reader = reader;
    this.content = content;
    this.key = key;
    this.at = from;
    this.to = to;
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
    int count = step.read(bytes, offset, length);
    if (count >= 0 || at == to) {
      return count;
    }
    long end = Math.min(to, at + STEP_BYTES);
    var next = new ByteArrayOutputStream((int) (end - at));
    try {
      reader.copy(content, key, at, end, next);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a copy was read");
    }
    at = end;
    step = new ByteArrayInputStream(next.toByteArray());
    return step.read(bytes, offset, length);
  }
}
