package dev.ron.bench.queue;

import java.io.IOException;

/**
 * One connection to a queue, used by one worker at a time: each call waits for the server's word.
 *
 * <p>Threading: owned by the worker.
 */
public interface QueueLine extends AutoCloseable {
  /** Returns when the server says that the message is safe. */
  void send(byte[] body, String key) throws IOException;

  /** Takes one message and acknowledges it; false if there was none. */
  boolean handleOne() throws IOException;

  @Override
  void close() throws IOException;
}
