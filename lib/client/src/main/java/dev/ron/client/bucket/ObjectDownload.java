package dev.ron.client.bucket;

import dev.ron.client.ServiceRefusal;
import dev.ron.client.StorageClient.Progress;
import dev.ron.http.client.ClientAnswer;
import dev.ron.kernel.retry.Backoff;
import dev.ron.kernel.stream.BlockStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * An object on its way from a server: read in one stream that goes on where it broke off, and
 * checked against what the server promised.
 *
 * <p>Threading: used once, by one thread.
 */
public final class ObjectDownload {
  private static final int STEP_BYTES = 64 << 10;

  /** Without a byte in between. */
  private static final int BREAKS_MAX = 5;

  private static final Backoff REST =
      new Backoff.Scaled(Duration.ofMillis(200), Duration.ofMillis(400), Duration.ofSeconds(5));

  private final BucketClient client;
  private final BucketPath from;
  private final Progress progress;
  private ClientAnswer answer;
  private final ObjectHead head;
  private final OptionalLong partBytes;
  private final ContentCheck check;
  private long read;
  private int breaks;

  /** Asks for the object; its bytes are read by {@link #to} or {@link #read}. */
  public ObjectDownload(BucketClient client, BucketPath from, Progress progress)
      throws IOException, InterruptedException {
    this.client = client;
    this.from = from;
    this.progress = progress;
    this.answer = client.get(from, 0, "");
    this.head = ObjectHead.of(answer.headers());
    this.partBytes =
        ContentCheck.partCount(head.etag()) > 0 ? client.firstPart(from) : OptionalLong.empty();
    this.check = new ContentCheck(head, partBytes);
  }

  /** The size of the parts that it was put in, where it was and the server says so. */
  OptionalLong partBytes() {
    return partBytes;
  }

  /** The bytes as a stream, which checks them as they pass. */
  InputStream stream() {
    return new BlockStream() {
      @Override
      protected int block(byte[] into, int offset, int length) throws IOException {
        try {
          return ObjectDownload.this.read(into, offset, length);
        } catch (InterruptedException stop) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("stopped while an object was read");
        }
      }
    };
  }

  public ObjectHead head() {
    return head;
  }

  /** Writes all of it; what came of the check is for the caller to act on. */
  public ContentCheck.Outcome to(OutputStream out) throws IOException, InterruptedException {
    byte[] step = new byte[STEP_BYTES];
    try {
      for (int n = read(step, 0, STEP_BYTES); n >= 0; n = read(step, 0, STEP_BYTES)) {
        out.write(step, 0, n);
      }
      return check.outcome();
    } finally {
      close();
    }
  }

  /** The next bytes; -1 after the last. */
  int read(byte[] into, int offset, int length) throws IOException, InterruptedException {
    while (true) {
      try {
        int n = answer.read(into, offset, length);
        if (n < 0 && read < head.size()) {
          throw new IOException("the server ended the object early");
        }
        if (n > 0) {
          check.update(into, offset, n);
          read += n;
          breaks = 0;
          progress.at(read, Math.max(read, head.size()));
        }
        return n;
      } catch (ServiceRefusal refused) {
        throw refused;
      } catch (IOException broken) {
        resume(broken);
      }
    }
  }

  private void resume(IOException broken) throws IOException, InterruptedException {
    if (++breaks > BREAKS_MAX || head.etag().isEmpty() || read >= head.size()) {
      throw broken;
    }
    close();
    var time = client.scope().time();
    time.sleepUntil(time.now().plus(REST.delay(breaks - 1, client.scope().chance())));
    answer = client.get(from, read, head.etag());
    if (read > 0 && answer.status() != 206) {
      throw new IOException(
          "the connection broke, and the server cannot go on where it was", broken);
    }
  }

  ContentCheck.Outcome outcome() {
    return check.outcome();
  }

  void close() {
    answer.close();
  }
}
