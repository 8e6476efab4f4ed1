package dev.ron.mailbox.core.message;

/**
 * Something that happened to one message, decided once and applied wherever the state is rebuilt.
 *
 * <p>Each stands alone: a journal that keeps a fact and loses the next one leaves a state that
 * could have been. Times are milliseconds on the shard's clock.
 *
 * <p>Threading: immutable; bodies are never changed.
 */
public sealed interface Fact {
  /** In place of a time: not to be waited for. */
  long AT_ONCE = 0;

  Ulid id();

  /** Goes to the journal; leases do not, because losing one only makes its message ready again. */
  default boolean kept() {
    return switch (this) {
      case Leased _, Extended _, Woken _ -> false;
      case Sent _, Carried _, Returned _, Acked _, Died _, Revived _, Dropped _ -> true;
    };
  }

  /**
   * Goes to the other machines of a cluster. A lease does, because the next leader has to honour
   * it; what the clock alone wakes, it wakes there too.
   */
  default boolean shared() {
    return !(this instanceof Woken);
  }

  /** A message was taken in, and its key is remembered. */
  @SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost every send
  record Sent(Message message, byte[] body, long readyAtMillis, long atMillis) implements Fact {
    @Override
    public Ulid id() {
      return message.id();
    }
  }

  /**
   * A message was written down once more, so that the old end of the journal can go; it is in the
   * same state as before.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared; a copy would double the memory
  record Carried(Message message, byte[] body) implements Fact {
    @Override
    public Ulid id() {
      return message.id();
    }
  }

  /** Handed to a consumer. */
  record Leased(Ulid id, Receipt receipt, long untilMillis) implements Fact {}

  /** The consumer got more time. */
  record Extended(Ulid id, long untilMillis) implements Fact {}

  /** A delay is over. */
  record Woken(Ulid id) implements Fact {}

  /** A delivery ended without success, by nack or by the clock, and there will be another. */
  record Returned(Ulid id, int attempts, long readyAtMillis, String lastError) implements Fact {}

  /** Handled; final. */
  record Acked(Ulid id, long atMillis) implements Fact {}

  /** Given up on. */
  record Died(Ulid id, int attempts, DeadLetterReason reason, String lastError, long atMillis)
      implements Fact {}

  /** An operator sends a dead letter again, from the first attempt on. */
  record Revived(Ulid id, long readyAtMillis, long atMillis) implements Fact {}

  /** A dead letter is gone, by an operator or by its age. */
  record Dropped(Ulid id) implements Fact {}
}
