package dev.ron.kernel.channel;

/** Something a task can wait for: a channel, a watch, a subscription. */
public interface Inbox {
  /** What the registry knows it by; empty if it is shown nowhere. */
  default String name() {
    return "";
  }

  /** There is something to take. */
  boolean ready();

  /** Nothing is there and nothing will ever come. */
  boolean ended();

  /** Rings {@code bell} whenever this becomes ready; each bell is attached once. */
  void attach(Bell bell);

  void detach(Bell bell);

  /** Wakes one more of the tasks that wait for this, if there is something to take. */
  default void passOn() {}
}
