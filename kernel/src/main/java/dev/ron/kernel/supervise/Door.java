package dev.ron.kernel.supervise;

import dev.ron.kernel.time.Deadline;

/** Where requests come in: a listener, with everything between the socket and the tasks. */
public interface Door {
  /** Starts to listen; when this returns, requests are taken. */
  void open() throws Exception;

  /** Refuses new requests from now on and lets those in flight go on; does not wait. */
  void stopIntake();

  /**
   * Waits for requests in flight until the deadline, then cuts the rest and lets go of everything.
   *
   * @return how many requests were cut
   */
  int close(Deadline deadline) throws InterruptedException;
}
