package dev.ron.mailbox.core.message;

/**
 * Something that happened to one message, decided once and applied wherever the state is rebuilt.
 *
 * <p>Each stands alone: a journal that keeps a fact and loses the next one leaves a state that
 * could have been. Times are milliseconds on the shard's clock.
 *
 * <p>Threading: immutable; bodies are never changed.
 */
public sealed interface Fact
    permits Fact.Sent,
        Fact.Carried,
        Fact.Leased,
        Fact.Extended,
        Fact.Woken,
        Fact.Returned,
        Fact.Acked,
        Fact.Died,
        Fact.Revived,
        Fact.Dropped,
        QueueFact {
  /** In place of a time: not to be waited for. */
  long AT_ONCE = 0;

  Ulid id();

  /**
   * Goes to the journal; leases do not, because losing one only makes its message ready again. One
   * of a FIFO queue does: to lose it would open its group while its consumer still works.
   */
  default boolean kept() {
    return switch (this) {
      case Leased leased -> leased.durable();
      case Extended extended -> extended.durable();
      case Woken _ -> false;
      case Sent _, Carried _, Returned _, Acked _, Died _, Revived _, Dropped _, QueueFact _ ->
          true;
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

  /**
   * Handed to a consumer.
   *
   * @param atMillis when, for a message of a queue; 0 for any other
   */
  record Leased(Ulid id, Receipt receipt, long untilMillis, long atMillis, boolean durable)
      implements Fact {
    public Leased(Ulid id, Receipt receipt, long untilMillis) {
      this(id, receipt, untilMillis, 0, false);
    }
  }

  /** The consumer got more time, or less. */
  record Extended(Ulid id, long untilMillis, boolean durable) implements Fact {
    public Extended(Ulid id, long untilMillis) {
      this(id, untilMillis, false);
    }
  }

  /** A delay is over. */
  record Woken(Ulid id) implements Fact {}

  /**
   * A delivery ended without success, by nack or by the clock, and there will be another.
   *
   * @param firstMillis when a message of a queue was received first; 0 for any other
   */
  record Returned(Ulid id, int attempts, long readyAtMillis, String lastError, long firstMillis)
      implements Fact {
    public Returned(Ulid id, int attempts, long readyAtMillis, String lastError) {
      this(id, attempts, readyAtMillis, lastError, 0);
    }
  }

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
