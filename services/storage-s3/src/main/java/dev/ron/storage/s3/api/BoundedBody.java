package dev.ron.storage.s3.api;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A body that is refused as soon as it is larger than it may be, or ends before it is as large as
 * it must be.
 *
 * <p>Threading: owned by one thread.
 */
public final class BoundedBody extends FilterInputStream {
  private final long bytesMin;
  private final long bytesMax;
  private long count;

  public BoundedBody(InputStream in, long bytesMin, long bytesMax) {
    super(in);
    this.bytesMin = bytesMin;
    this.bytesMax = bytesMax;
  }

  /** What it bounds. */
  InputStream source() {
    return in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = super.read(bytes, offset, length);
    count += Math.max(0, read);
    if (count > bytesMax) {
      throw Refusal.of(new S3Fault.EntityTooLarge(bytesMax));
    }
    if (read < 0 && count < bytesMin) {
      throw Refusal.of(
          new S3Fault.InvalidRequest(
              "the body has %d bytes, and must have %d at least".formatted(count, bytesMin)));
    }
    return read;
  }
}
