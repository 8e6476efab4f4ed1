package dev.ron.mailbox.core;

/**
 * A living message and where it stands.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class Item {
  /** Where a living message is; each state has one structure that holds it. */
  enum State {
    READY,
    DELAYED,
    IN_FLIGHT
  }

  private final Message message;
  private final long sinceMillis;
  private State state = State.READY;
  private int attempts;
  private String lastError = "";

  Item(Message message, long sinceMillis) {
    this.message = message;
    this.sinceMillis = sinceMillis;
  }

  Message message() {
    return message;
  }

  /** When it came in or was sent again; its age for retention. */
  long sinceMillis() {
    return sinceMillis;
  }

  State state() {
    return state;
  }

  void state(State next) {
    state = next;
  }

  /** Deliveries begun. */
  int attempts() {
    return attempts;
  }

  /** Deliveries that have failed: what is known after a crash. */
  int attemptsEnded() {
    return state == State.IN_FLIGHT ? attempts - 1 : attempts;
  }

  String lastError() {
    return lastError;
  }

  void began() {
    attempts++;
  }

  void failed(int attemptsSoFar, String error) {
    attempts = attemptsSoFar;
    lastError = error;
  }
}
