package dev.ron.bench.queue;

import dev.ron.bench.load.ClosedLoop;
import dev.ron.bench.process.CpuTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * So many workers on one queue, each with a connection and one request at a time.
 *
 * <p>Threading: owned by the benchmark's thread.
 */
public final class QueueLoad {
  private static final AtomicLong LOADS = new AtomicLong();

  private final QueueServer server;
  private final byte[] body;
  private final int workers;

  /** Keys of one load are no other's: a queue that knows a key takes no second message. */
  private final String prefix = "k" + LOADS.getAndIncrement() + "-";

  private final AtomicLong keys = new AtomicLong();

  /** What the workers do. */
  public enum Kind {
    SEND("send"),
    HANDLE("receive-ack"),
    MIXED("mixed");

    private final String caseName;

    Kind(String caseName) {
      this.caseName = caseName;
    }

    public String caseName() {
      return caseName;
    }
  }

  public QueueLoad(QueueServer server, byte[] body, int workers) {
    this.server = server;
    this.body = body;
    this.workers = workers;
  }

  /**
   * What came of one turn.
   *
   * @param server CPU time of the server in it
   * @param client CPU time of this process, which makes the load
   */
  public record Turn(ClosedLoop.Sample sample, CpuTime server, CpuTime client) {
    /** What the server does in a second of its CPU, however little of it the client leaves. */
    public double perCpuSecond() {
      return server.rate(sample.operations());
    }
  }

  ClosedLoop.Sample run(Kind kind, Duration time) throws IOException, InterruptedException {
    return turn(kind, time).sample();
  }

  /** Begins and ends with an empty queue. */
  public Turn turn(Kind kind, Duration time) throws IOException, InterruptedException {
    if (kind == Kind.HANDLE) {
      // As many as half the time brings, so that there is something to take for most of it.
      each(time.dividedBy(2), this::send);
    }
    CpuTime served = server.cpuTime();
    CpuTime own = CpuTime.own();
    ClosedLoop.Sample sample =
        each(
            time,
            switch (kind) {
              case SEND -> this::send;
              case HANDLE -> QueueLine::handleOne;
              case MIXED -> line -> send(line) && line.handleOne();
            });
    var turn = new Turn(sample, server.cpuTime().minus(served), CpuTime.own().minus(own));
    if (kind != Kind.HANDLE) {
      drain();
    }
    return turn;
  }

  ClosedLoop.Sample mixed(Duration time) throws IOException, InterruptedException {
    return run(Kind.MIXED, time);
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
