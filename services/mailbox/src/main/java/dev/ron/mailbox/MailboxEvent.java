package dev.ron.mailbox;

import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.EventReader;
import dev.ron.mailbox.core.message.DeadLetterReason;
import dev.ron.mailbox.core.message.Ulid;

/** What happened in a shard that others may want to know, and may miss. */
public sealed interface MailboxEvent {
  /** A message was given up on. */
  record Died(int shard, Ulid id, String topic, DeadLetterReason reason) implements MailboxEvent {}

  /** A shard's loop failed; another goes on from the journal. */
  record Recovered(int shard, int living) implements MailboxEvent {}

  /** The task that tells the log. */
  static EventReader<MailboxEvent> reader(Broadcast<MailboxEvent> events, Log log) {
    return new EventReader<>(events, event -> event.tell(log));
  }

  private void tell(Log log) {
    switch (this) {
      case Died(int shard, Ulid id, String topic, DeadLetterReason reason) ->
          log.info("dead-letter", "shard", shard, "id", id, "topic", topic, "reason", reason);
      case Recovered(int shard, int living) ->
          log.warn("shard-recovered", "shard", shard, "living", living);
    }
  }
}
