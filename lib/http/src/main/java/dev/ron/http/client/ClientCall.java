package dev.ron.http.client;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.kernel.fault.KernelFault;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way and its answer coming back.
 *
 * <p>Threading: owned by its event loop.
 */
public final class ClientCall {
  private final ClientRequest request;
  private final ClientReader reader;
  private final EventLoop loop;
  private @Nullable ClientWire wire;
  private @Nullable Future<?> timer;
  private boolean wanted;
  private boolean answered;
  private boolean over;
  private boolean retried;

  ClientCall(ClientRequest request, ClientReader reader, EventLoop loop) {
    this.request = request;
    this.reader = reader;
    this.loop = loop;
  }

  public ClientRequest request() {
    return request;
  }

  public boolean writable() {
    return wire != null && wire.writable();
  }

  /** Writes a piece of a streamed body; takes over the buffer. */
  public void write(ByteBuf bytes) {
    ClientWire to = wire;
    if (over || to == null) {
      bytes.release();
      return;
    }
    to.write(bytes);
  }

  /** Ends a streamed body. */
  public void end(Headers trailers) {
    ClientWire to = wire;
    if (!over && to != null) {
      to.end(trailers);
    }
  }

  /** Asks for one more piece of the answer. */
  public void more() {
    wanted = true;
    if (wire != null && !over) {
      wire.pull();
    }
  }

  /** Gives up; the reader hears nothing more. */
  public void cut() {
    if (over) {
      return; // its connection may be another call's by now
    }
    finish();
    if (wire != null) {
      wire.cut();
    }
  }

  // ---- for the connection

  EventLoop loop() {
    return loop;
  }

  boolean wanted() {
    return wanted;
  }

  boolean over() {
    return over;
  }

  void timeOutAfter(Duration limit) {
    timer =
        loop.schedule(
            () -> {
              ClientWire busy = wire;
              fail(Refusal.of(new KernelFault.Timeout("asking " + request.origin().host(), limit)));
              if (busy != null) {
                busy.cut();
              }
            },
            limit.toNanos(),
            TimeUnit.NANOSECONDS);
  }

  void connected(ClientWire to) {
    wire = to;
    to.start(this);
    if (!over && request.streamed()) {
      reader.ready();
    }
  }

  /** True if the call may go to another connection, because nothing was heard on this one. */
  boolean mayRetry() {
    return !over && !retried && !answered && request.replayable();
  }

  void retrying() {
    retried = true;
    wire = null;
  }

  void interim(int status, Headers headers) {
    if (!over) {
      reader.interim(status, headers);
    }
  }

  void head(int status, Headers headers) {
    if (!over) {
      answered = true;
      reader.head(status, headers);
    }
  }

  void piece(ByteBuf bytes) {
    if (over) {
      bytes.release();
      return;
    }
    wanted = false;
    reader.piece(bytes);
  }

  void ended(Headers trailers) {
    if (!over) {
      finish();
      reader.end(trailers);
    }
  }

  void upgraded(Channel channel) {
    finish();
    reader.upgraded(channel);
  }

  void becameWritable() {
    if (!over) {
      reader.writable();
    }
  }

  void fail(Refusal refusal) {
    if (!over) {
      finish();
      reader.failed(refusal);
    }
  }

  private void finish() {
    over = true;
    if (timer != null) {
      timer.cancel(false);
    }
  }
}
