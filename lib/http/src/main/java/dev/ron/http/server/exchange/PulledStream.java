package dev.ron.http.server.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.stream.BlockStream;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A request's body as a blocking stream; holds one piece, and asks for the next when it is used up.
 *
 * <p>Threading: read by the handler's virtual thread; {@code lock} guards what the event loop hands
 * over.
 */
final class PulledStream extends BlockStream implements BodyReader {
  private final Exchange exchange;
  private final RequestBody body;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();

  @GuardedBy("lock") private boolean begun;

  @GuardedBy("lock") private boolean ended;

  @GuardedBy("lock") private boolean closed;

  @GuardedBy("lock") private @Nullable ByteBuf piece;

  @GuardedBy("lock") private @Nullable Refusal failure;

  PulledStream(Exchange exchange, RequestBody body) {
    this.exchange = exchange;
    this.body = body;
  }

  @Override
  protected int block(byte[] into, int offset, int length) throws IOException {
    ByteBuf next = current();
    if (next == null) {
      return -1;
    }
    int count = Math.min(length, next.readableBytes());
    next.readBytes(into, offset, count);
    if (!next.isReadable()) {
      dropPiece();
    }
    return count;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    dropPiece();
  }

  private @Nullable ByteBuf current() throws IOException {
    lock.lock();
    try {
      if (piece == null && !ended) {
        exchange.loop().execute(begun ? body::more : () -> body.read(this));
        begun = true;
      }
      while (piece == null && !ended && failure == null) {
        if (!exchange.server().time().awaitAlone(lock, arrived, exchange.deadline().at())
            && exchange.deadline().passed(exchange.server().time().now())) {
          throw Refusal.of(new KernelFault.Timeout("reading the body", Duration.ZERO));
        }
      }
      Refusal failed = failure;
      if (failed != null) {
        throw failed;
      }
      return piece;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("cancelled while reading the body");
    } finally {
      lock.unlock();
    }
  }

  private void dropPiece() {
    lock.lock();
    try {
      if (piece != null) {
        piece.release();
        piece = null;
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void piece(ByteBuf bytes) {
    lock.lock();
    try {
      if (closed) {
        bytes.release();
        return;
      }
      piece = bytes;
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void end(Headers trailers) {
    lock.lock();
    try {
      ended = true;
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void failed(Refusal refusal) {
    lock.lock();
    try {
      failure = refusal;
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }
}
