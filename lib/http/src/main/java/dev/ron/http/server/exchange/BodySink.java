package dev.ron.http.server.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.http.Refusal;
import dev.ron.kernel.fault.KernelFault;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where a blocking handler writes a body; waits while the peer does not take it.
 *
 * <p>At most {@link #AHEAD_BYTES_MAX} are on their way at once, or fewer if the writer says so,
 * counted from the write to the moment the system has taken them.
 *
 * <p>Threading: written by one virtual thread; {@code lock} guards what the event loop gives back.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
public final class BodySink extends OutputStream {
  private static final int STEP_BYTES = 64 * 1024;
  private static final int AHEAD_BYTES_MAX = 4 * STEP_BYTES;

  private final Exchange exchange;
  private final ExchangeWire wire;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition taken = lock.newCondition();
  private int aheadBytesMax = AHEAD_BYTES_MAX;

  @GuardedBy("lock") private int aheadBytes;

  @GuardedBy("lock") private @Nullable Throwable failure;

  BodySink(Exchange exchange, ExchangeWire wire) {
    this.exchange = exchange;
    this.wire = wire;
  }

  /**
   * Lets fewer bytes be on their way; for answers that thousands may wait for at a time, because
   * each of them holds that much.
   */
  public void ahead(int bytesMax) {
    if (bytesMax < 1 || bytesMax > AHEAD_BYTES_MAX) {
      throw new IllegalArgumentException("bytes ahead = " + bytesMax);
    }
    aheadBytesMax = bytesMax;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int from = offset;
    int end = offset + length;
    while (from < end) {
      int step = Math.min(Math.min(STEP_BYTES, aheadBytesMax), end - from);
      awaitRoom(step);
      ByteBuf buffer = wire.channel().alloc().buffer(step).writeBytes(bytes, from, step);
      exchange.loop().execute(() -> send(buffer));
      from += step;
    }
  }

  private void send(ByteBuf buffer) {
    int step = buffer.readableBytes();
    if (exchange.ended()) {
      buffer.release();
      taken(step, new IOException("the connection is gone"));
      return;
    }
    exchange.output().data(buffer).addListener(sent -> taken(step, sent.cause()));
  }

  private void awaitRoom(int step) throws IOException {
    lock.lock();
    try {
      while (failure == null && aheadBytes + step > aheadBytesMax) {
        if (!exchange.server().time().awaitAlone(lock, taken, exchange.deadline().at())
            && exchange.deadline().passed(exchange.server().time().now())) {
          throw Refusal.of(new KernelFault.Timeout("writing the body", Duration.ZERO));
        }
      }
      if (failure != null) {
        throw new IOException("the peer is gone", failure);
      }
      aheadBytes += step;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("cancelled while writing the body", e);
    } finally {
      lock.unlock();
    }
  }

  private void taken(int step, @Nullable Throwable cause) {
    lock.lock();
    try {
      aheadBytes -= step;
      if (cause != null) {
        failure = cause;
      }
      taken.signal();
    } finally {
      lock.unlock();
    }
  }
}
