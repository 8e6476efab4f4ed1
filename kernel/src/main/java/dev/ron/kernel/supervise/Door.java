package dev.ron.kernel.supervise;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.time.Deadline;

/**
 * Where requests come in, or what requests and tasks need from outside: a listener, a client, a
 * group of machines.
 *
 * <p>A drain calls {@link #stopIntake} of all doors, {@link #drain} of all doors, {@link #end} of
 * each in its place among the tasks, and {@link #release} when the last task has ended.
 */
public interface Door {
  /** Starts to listen; when this returns, requests are taken. */
  void open() throws Exception;

  /** Refuses new requests from now on and lets those in flight go on; does not wait. */
  void stopIntake();

  /**
   * Waits for requests in flight until the deadline, then cuts the rest. The door stays open, to
   * say that the service drains.
   */
  default Requests drain(Deadline deadline) throws InterruptedException {
    return Requests.NONE;
  }

  /** Makes {@link #drain} stop waiting. */
  default void hasten() {}

  /** For what must end after the tasks below have and before those above do. */
  default void end(Deadline deadline) throws InterruptedException {}

  /** The tree has ended: releases everything. */
  default void release() throws InterruptedException {}

  /** This door, which says in a watch that it takes nothing new before it stops to. */
  default Door telling(Watch<Boolean> shutdown) {
    return new ToldDoor(this, shutdown);
  }

  /**
   * The outcome of the requests that were in flight when the intake stopped.
   *
   * @param answered those that ended by themselves
   * @param cut those whose time was up
   */
  record Requests(int answered, int cut) {
    public static final Requests NONE = new Requests(0, 0);

    public Requests plus(Requests other) {
      return new Requests(answered + other.answered, cut + other.cut);
    }
  }
}
