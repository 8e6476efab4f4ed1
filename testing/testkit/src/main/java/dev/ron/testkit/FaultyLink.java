package dev.ron.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A TCP link on loopback that can be cut, stalled and slowed while it is in use.
 *
 * <p>Put it between two real processes: the client dials {@link #address}, the link dials the
 * server.
 *
 * <p>Threading: thread-safe; {@code lock} guards the mode, sockets are pumped by threads of their
 * own that end with {@link #close}.
 */
public final class FaultyLink implements AutoCloseable {
  private static final int STEP_BYTES = 16 * 1024;

  private final InetSocketAddress target;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Mode mode = Mode.OPEN;
  private Duration delay = Duration.ZERO;
  private final AtomicReference<String> lost = new AtomicReference<>("");

  /** What happens to bytes. */
  private enum Mode {
    OPEN,
    STALLED,
    CUT,
    CLOSED
  }

  public FaultyLink(InetSocketAddress target) throws IOException {
    this(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), target);
  }

  /** Listens at a certain address: a client that knows its server by name is told this one. */
  public FaultyLink(InetSocketAddress listen, InetSocketAddress target) throws IOException {
    if (!target.getAddress().isLoopbackAddress()) {
      throw new IllegalArgumentException(target + " is not on this machine");
    }
    this.target = target;
    this.listener = new ServerSocket();
    listener.bind(listen, 128);
    Thread.ofVirtual().name("faulty-link/accept").start(this::acceptAll);
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) listener.getLocalSocketAddress();
  }

  /** Bytes stop moving both ways and neither side is told, as when a cable is pulled. */
  public void stall() {
    set(Mode.STALLED);
  }

  /** Every connection is reset, and new ones are until {@link #heal}. As a peer that died. */
  public void cut() {
    set(Mode.CUT);
    sockets.forEach(FaultyLink::reset);
  }

  public void heal() {
    set(Mode.OPEN);
  }

  /** Each step of up to 16 KiB arrives this much later. */
  public void slow(Duration each) {
    lock.lock();
    try {
      delay = each;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The connection is reset in place of the next answer that begins like this: the request was
   * heard, and the client cannot know it.
   */
  public void loseAnswer(String beginning) {
    lost.set(beginning);
  }

  /** Whether none is to be lost, or the one that was has come. */
  public boolean isAnswerLost() {
    return lost.get().isEmpty();
  }

  @Override
  public void close() throws IOException {
    set(Mode.CLOSED);
    listener.close();
    sockets.forEach(FaultyLink::reset);
  }

  private void acceptAll() {
    while (true) {
      try {
        Socket client = listener.accept();
        sockets.add(client);
        if (isCut()) {
          reset(client);
          continue;
        }
        Socket server = new Socket();
        sockets.add(server);
        try {
          server.connect(target);
        } catch (IOException down) {
          // Otherwise the client would take the link for a slow server.
          reset(client);
          continue;
        }
        pump("out", client, server);
        pump("in", server, client);
      } catch (IOException closedOrRefused) {
        if (listener.isClosed()) {
          return;
        }
      }
    }
  }

  private void pump(String direction, Socket from, Socket to) {
    Thread.ofVirtual()
        .name("faulty-link/" + direction)
        .start(
            () -> {
              try (from) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                byte[] step = new byte[STEP_BYTES];
                for (int count; (count = in.read(step)) >= 0; ) {
                  awaitOpen();
                  lose(direction, step, count);
                  out.write(step, 0, count);
                  out.flush();
                }
                to.shutdownOutput();
              } catch (IOException | InterruptedException ended) {
                reset(from);
                reset(to);
              }
            });
  }

  private void lose(String direction, byte[] step, int count) throws IOException {
    String beginning = lost.get();
    if (direction.equals("in")
        && !beginning.isEmpty()
        && new String(step, 0, count, ISO_8859_1).startsWith(beginning)
        && lost.compareAndSet(beginning, "")) {
      throw new IOException("lost");
    }
  }

  private void awaitOpen() throws InterruptedException {
    Duration wait;
    lock.lockInterruptibly();
    try {
      while (mode == Mode.STALLED) {
        changed.await();
      }
      wait = delay;
    } finally {
      lock.unlock();
    }
    if (!wait.isZero()) {
      java.util.concurrent.TimeUnit.NANOSECONDS.sleep(wait.toNanos());
    }
  }

  private boolean isCut() {
    lock.lock();
    try {
      return mode == Mode.CUT;
    } finally {
      lock.unlock();
    }
  }

  private void set(Mode next) {
    lock.lock();
    try {
      mode = next;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static void reset(Socket socket) {
    try {
      // No linger: the other side sees a reset, not an orderly end.
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException alreadyClosed) {
      // by its own pump, a moment ago
    }
  }
}
