package dev.ron.mailbox.core.state;

import dev.ron.mailbox.core.message.Ulid;

/**
 * A message as the index knows it, at one moment.
 *
 * <p>Threading: immutable.
 *
 * @param attempts deliveries begun
 */
public record IndexedMessage(
    Ulid id, MessageGroup lane, State state, int attempts, int payloadBytes) {
  /** Where a message is; each state but the first has one structure that holds it. */
  public enum State {
    /** Neither ready nor in flight: in the middle of a move. */
    LIFTED(1),
    READY(2),
    DELAYED(3),
    IN_FLIGHT(4),
    DEAD(5);

    private static final State[] BY_CODE = {LIFTED, READY, DELAYED, IN_FLIGHT, DEAD};

    private final int code;

    State(int code) {
      this.code = code;
    }

    /** As the index and snapshots have it; never 0, so that no message is all zeros. */
    int code() {
      return code;
    }

    static State of(int code) {
      return BY_CODE[code - 1];
    }
  }

  public boolean living() {
    return state != State.DEAD;
  }
}
