package dev.ron.storage.object;

import dev.ron.http.Refusal;
import dev.ron.kernel.fault.KernelFault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of bodies are in memory, all requests together.
 *
 * <p>Bytes are counted as they come, not as they are announced: a client that announces much and
 * sends nothing holds nothing.
 *
 * <p>Threading: thread-safe; {@code held} is only raised by compare-and-set below the limit.
 */
public final class BodyBudget {
  private static final int STEP_BYTES = 64 << 10;
  private static final Duration REST = Duration.ofSeconds(1);

  private final long bytesMax;
  private final AtomicLong held = new AtomicLong();

  public BodyBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /**
   * A body that is still to be read: what is to hold it opens it in a {@code try}, so no refusal on
   * the way there can leave bytes counted that are held no more.
   */
  @FunctionalInterface
  public interface Unread {
    Held read() throws IOException;
  }

  /** A body in memory until it is closed. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, and handed on without a copy
  public record Held(byte[] bytes, Runnable letGo) implements AutoCloseable {
    @Override
    public void close() {
      letGo.run();
    }
  }

  /**
   * Reads a stream to its end.
   *
   * @param tooLong what is said of a longer one
   */
  public Held read(InputStream in, int bodyBytesMax, Refusal tooLong) throws IOException {
    var collected = new ByteArrayOutputStream(STEP_BYTES);
    long mine = 0;
    boolean done = false;
    try {
      byte[] step = new byte[STEP_BYTES];
      while (true) {
        int count = in.readNBytes(step, 0, step.length);
        if (count == 0) {
          break;
        }
        if (collected.size() + count > bodyBytesMax) {
          throw tooLong;
        }
        take(count);
        mine += count;
        collected.write(step, 0, count);
      }
      done = true;
      long all = mine;
      return new Held(collected.toByteArray(), () -> held.addAndGet(-all));
    } finally {
      if (!done) {
        held.addAndGet(-mine);
      }
    }
  }

  public long heldBytes() {
    return held.get();
  }

  private void take(int count) throws Refusal {
    while (true) {
      long now = held.get();
      if (now + count > bytesMax) {
        throw Refusal.of(
            new KernelFault.Busy("body_memory", (int) Math.min(Integer.MAX_VALUE, bytesMax), REST));
      }
      if (held.compareAndSet(now, now + count)) {
        return;
      }
    }
  }
}
