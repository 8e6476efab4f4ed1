package dev.ron.http.client;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.stream.BlockStream;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import dev.ron.kernel.trace.Span;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An answer as blocking code reads it: status, headers, and the body as a stream of one piece at a
 * time. Closing it before its end gives up the rest.
 *
 * <p>Threading: read by one thread; {@code lock} guards what the event loop hands over.
 */
public final class ClientAnswer extends BlockStream implements ClientReader {
  private static final int STEP_BYTES = 64 * 1024;

  private final Time time;
  private final Deadline deadline;
  private final Duration stall;
  private final InterimListener interims;
  private final Span span;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable ClientCall call;
  private @Nullable Headers headers;
  private @Nullable Headers trailers;
  private @Nullable ByteBuf piece;
  private @Nullable Refusal failure;
  private int status;
  private boolean mayWrite;
  private boolean asked;
  private boolean closed;

  /** Hears of heads that come before the answer, on the event loop: may not block. */
  @FunctionalInterface
  public interface InterimListener {
    InterimListener NONE = (_, _) -> {};

    void interim(int status, Headers headers);
  }

  /**
   * @param stall how long the server may be silent when something is waited for
   * @param span of the call, which ends with the answer
   */
  ClientAnswer(Time time, Deadline deadline, Duration stall, InterimListener interims, Span span) {
    this.time = time;
    this.deadline = deadline;
    this.stall = stall;
    this.interims = interims;
    this.span = span;
  }

  public int status() {
    return status;
  }

  public Headers headers() {
    return Objects.requireNonNull(headers);
  }

  /** What came after the body; null before its end. */
  public @Nullable Headers trailers() {
    return trailers;
  }

  /** The whole body, or a refusal if it is longer than that. */
  public byte[] collect(int bytesMax) throws IOException {
    byte[] all = readNBytes(bytesMax);
    if (all.length == bytesMax && read() >= 0) {
      close();
      throw new ClientFault.Upstream("an answer longer than " + bytesMax + " bytes").refusal();
    }
    return all;
  }

  ClientAnswer awaitHead() throws IOException, InterruptedException {
    try {
      return headUnderLock();
    } catch (Refusal silent) {
      CallSpan.fail(span, silent);
      throw silent;
    } catch (InterruptedIOException cancelled) {
      close();
      throw new InterruptedException("cancelled while waiting for an answer");
    }
  }

  private ClientAnswer headUnderLock() throws IOException {
    lock.lock();
    try {
      Patience patience = patience();
      while (failure == null && headers == null) {
        awaitChange("waiting for an answer", patience);
      }
      if (headers == null && failure != null) {
        throw failure;
      }
      return this;
    } finally {
      lock.unlock();
    }
  }

  /**
   * When a wait gives up.
   *
   * @param limit how long that was from its beginning
   */
  private record Patience(Deadline until, Duration limit) {}

  /** Of a wait that begins now: until the server was silent for too long, or to the deadline. */
  private Patience patience() {
    Duration left = deadline.remaining(time.now());
    return new Patience(
        deadline.earlier(Deadline.in(stall, time)), stall.compareTo(left) <= 0 ? stall : left);
  }

  /** Waits, under the lock, until something changed; a passed deadline is a failure. */
  @SuppressWarnings("WaitNotInLoop") // the loop is the caller's: only it knows the predicate
  private void awaitChange(String what, Patience patience) throws InterruptedIOException {
    try {
      if (!time.awaitAlone(lock, changed, patience.until().at())
          && patience.until().passed(time.now())) {
        failure = Refusal.of(new KernelFault.Timeout(what, patience.limit()));
        ClientCall silent = call;
        if (silent != null) {
          silent.loop().execute(silent::cut);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("cancelled while " + what);
    }
  }

  /** Sends a streamed body as fast as the server takes it; an early answer ends it. */
  void upload(InputStream body) throws IOException {
    ClientCall to = awaitReady();
    var step = new byte[STEP_BYTES];
    int read = to == null ? -1 : body.readNBytes(step, 0, STEP_BYTES);
    while (to != null && read > 0) {
      ByteBuf bytes = Unpooled.copiedBuffer(step, 0, read);
      lock.lock();
      try {
        mayWrite = false;
      } finally {
        lock.unlock();
      }
      to.loop()
          .execute(
              () -> {
                to.write(bytes);
                change(() -> mayWrite = to.writable());
              });
      read = awaitReady() == null ? -1 : body.readNBytes(step, 0, STEP_BYTES);
    }
    if (to != null && read == 0) {
      to.loop().execute(() -> to.end(new Headers(1)));
    }
  }

  /** The call once it may be written to; null if it needs no more, or failed. */
  private @Nullable ClientCall awaitReady() throws IOException {
    lock.lock();
    try {
      Patience patience = patience();
      while (failure == null && headers == null && !(mayWrite && call != null)) {
        awaitChange("sending a request", patience);
      }
      return failure == null && headers == null ? call : null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  protected int block(byte[] into, int offset, int length) throws IOException {
    ByteBuf next;
    try {
      next = await();
    } catch (Refusal cut) {
      CallSpan.fail(span, cut);
      throw cut;
    }
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

  /** The piece at hand, or null at the end. */
  private @Nullable ByteBuf await() throws IOException {
    lock.lock();
    try {
      Patience patience = patience();
      while (failure == null && piece == null && trailers == null) {
        if (!asked) {
          asked = true;
          ask();
        }
        awaitChange("reading an answer", patience);
      }
      Refusal failed = failure;
      if (failed != null) {
        throw failed;
      }
      return piece;
    } finally {
      lock.unlock();
    }
  }

  private void ask() {
    ClientCall current = call;
    if (current != null) {
      current.loop().execute(current::more);
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      ClientCall current = call;
      if (current != null && trailers == null && failure == null) {
        current.loop().execute(current::cut);
      }
    } finally {
      lock.unlock();
    }
    dropPiece();
    CallSpan.end(span, status);
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

  private void change(Runnable what) {
    lock.lock();
    try {
      what.run();
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  // ---- from the event loop

  void begun(ClientCall begunCall) {
    change(
        () -> {
          call = begunCall;
          if (closed) {
            begunCall.cut();
          }
        });
  }

  @Override
  public void ready() {
    change(() -> mayWrite = true);
  }

  @Override
  public void writable() {
    change(() -> mayWrite = true);
  }

  @Override
  public void interim(int interimStatus, Headers interimHeaders) {
    interims.interim(interimStatus, interimHeaders);
  }

  @Override
  public void head(int answerStatus, Headers answerHeaders) {
    CallSpan.head(span, answerStatus);
    change(
        () -> {
          status = answerStatus;
          headers = answerHeaders;
        });
  }

  @Override
  public void piece(ByteBuf bytes) {
    change(
        () -> {
          if (closed) {
            bytes.release();
          } else {
            piece = bytes;
            asked = false;
          }
        });
  }

  @Override
  public void end(Headers last) {
    change(() -> trailers = last);
    CallSpan.end(span, status);
  }

  @Override
  public void failed(Refusal refusal) {
    change(() -> failure = failure == null ? refusal : failure);
    CallSpan.fail(span, refusal);
  }
}
