package dev.ron.bench.queue;

import dev.ron.bench.process.CpuTime;
import java.io.IOException;

/**
 * A queue that runs on loopback with one queue to send to and take from.
 *
 * <p>Threading: thread-safe; each line is its worker's.
 */
public interface QueueServer extends AutoCloseable {
  QueueLine line() throws IOException;

  CpuTime cpuTime();

  @Override
  void close() throws IOException;
}
