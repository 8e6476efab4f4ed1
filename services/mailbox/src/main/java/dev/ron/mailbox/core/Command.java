package dev.ron.mailbox.core;

import dev.ron.blake3.Hash;
import dev.ron.mailbox.core.message.DeadLetterFilter;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a shard can be asked to decide.
 *
 * <p>{@code reach} says whether the caller may touch a topic. It is asked here because only the
 * shard knows the topic of a message id.
 *
 * <p>Threading: immutable; bodies are never changed.
 */
public sealed interface Command
    permits Command.Send,
        Command.Receive,
        Command.Ack,
        Command.Nack,
        Command.Extend,
        Command.Tick,
        Command.Retain,
        Command.Reprocess,
        Command.Carry,
        Command.Drop,
        QueueCommand {
  /**
   * @param delayMillis 0 for none
   * @param refuseDuplicate answer a repeated key with a refusal instead of the first id
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost every send
  record Send(
      String topic,
      String idemKey,
      byte[] body,
      Hash payloadHash,
      Map<String, String> attrs,
      long delayMillis,
      String group,
      String corrId,
      long tsMillis,
      boolean refuseDuplicate)
      implements Command {}

  /**
   * One message at most; a receiver that wants more asks again.
   *
   * @param bytesMax a larger message is left where it is
   * @param taken the numbers of the messages that this call got already: in a FIFO queue they do
   *     not block the next of their group
   */
  record Receive(String topic, long visibilityMillis, long bytesMax, List<Long> taken)
      implements Command {
    public Receive {
      taken = List.copyOf(taken);
    }

    public Receive(String topic, long visibilityMillis, long bytesMax) {
      this(topic, visibilityMillis, bytesMax, List.of());
    }
  }

  /** Final; a null receipt acknowledges in whatever state the message is. */
  record Ack(Ulid id, @Nullable Receipt receipt, TopicReach reach) implements Command {}

  /** A null delay draws one. */
  record Nack(
      Ulid id,
      @Nullable Receipt receipt,
      String reason,
      @Nullable Long delayMillis,
      TopicReach reach)
      implements Command {}

  /** The lease ends so long after now. */
  record Extend(Ulid id, @Nullable Receipt receipt, long visibilityMillis, TopicReach reach)
      implements Command {}

  /** What the clock alone decides: leases and delays that are over. */
  record Tick() implements Command {}

  /**
   * What age alone decides.
   *
   * @param queueMillis the age at which messages of a queue vanish, by its topic
   */
  record Retain(long readyMillis, long deadMillis, Map<String, Long> queueMillis)
      implements Command {
    public Retain {
      queueMillis = Map.copyOf(queueMillis);
    }

    public Retain(long readyMillis, long deadMillis) {
      this(readyMillis, deadMillis, Map.of());
    }
  }

  /**
   * @param perSecond how fast they become ready; 0 for all at once
   */
  record Reprocess(DeadLetterFilter filter, int max, int perSecond) implements Command {}

  /**
   * Writes messages down once more, so that the old end of the journal can go.
   *
   * @param numbers as the image named them; one that is gone by now is passed over
   * @param before only those whose record lies before this position
   */
  record Carry(List<Long> numbers, long before) implements Command {
    public Carry {
      numbers = List.copyOf(numbers);
    }
  }

  /** Lets dead letters go for good. */
  record Drop(DeadLetterFilter filter, int max) implements Command {}
}
