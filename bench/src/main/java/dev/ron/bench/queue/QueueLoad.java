package dev.ron.bench.queue;

import dev.ron.bench.load.ClosedLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * So many workers on one queue, each with a connection and one request at a time.
 *
 * <p>Threading: owned by the benchmark's thread.
 */
final class QueueLoad {
  private static final AtomicLong LOADS = new AtomicLong();

  private final QueueServer server;
  private final byte[] body;
  private final int workers;

  /** Keys of one load are no other's: a queue that knows a key takes no second message. */
  private final String prefix = "k" + LOADS.getAndIncrement() + "-";

  private final AtomicLong keys = new AtomicLong();

  /** What the workers do. */
  enum Kind {
    SEND("send"),
    HANDLE("receive-ack"),
    MIXED("mixed");

    private final String caseName;

    Kind(String caseName) {
      this.caseName = caseName;
    }

    String caseName() {
      return caseName;
    }
  }

  QueueLoad(QueueServer server, byte[] body, int workers) {
    this.server = server;
    this.body = body;
    this.workers = workers;
  }

  ClosedLoop.Sample run(Kind kind, Duration time) throws IOException, InterruptedException {
    return switch (kind) {
      case SEND -> {
        ClosedLoop.Sample sample = each(time, this::send);
        drain();
        yield sample;
      }
      case HANDLE -> {
        // As many as half the time brings, so that there is something to take for most of it.
        each(time.dividedBy(2), this::send);
        yield each(time, QueueLine::handleOne);
      }
      case MIXED -> mixed(time);
    };
  }

  ClosedLoop.Sample mixed(Duration time) throws IOException, InterruptedException {
    ClosedLoop.Sample sample = each(time, line -> send(line) && line.handleOne());
    drain();
    return sample;
  }

  private boolean send(QueueLine line) throws IOException {
    line.send(body, prefix + keys.getAndIncrement());
    return true;
  }

  /** Takes whatever is there, so that no side works on a larger queue than the other. */
  void drain() throws IOException, InterruptedException {
    each(Duration.ofSeconds(60), QueueLine::handleOne);
  }

  /** Until the time is over or there is nothing left to do. */
  ClosedLoop.Sample each(Duration time, ClosedLoop.Operation<QueueLine> operation)
      throws IOException, InterruptedException {
    var lines = new ArrayList<QueueLine>();
    try {
      for (int i = 0; i < workers; i++) {
        lines.add(server.line());
      }
      return ClosedLoop.run(lines, time, operation);
    } finally {
      for (QueueLine line : lines) {
        line.close();
      }
    }
  }
}
