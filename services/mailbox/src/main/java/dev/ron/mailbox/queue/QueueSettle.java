package dev.ron.mailbox.queue;

import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import org.jspecify.annotations.Nullable;

/**
 * A consumer's word about one message: it is to be deleted, or its lease is to end at another time.
 *
 * <p>Threading: immutable.
 *
 * @param receipt null where any handle ever given is good, which is so on a standard queue
 * @param visibilitySeconds from now on; null deletes
 */
public record QueueSettle(Ulid id, @Nullable Receipt receipt, @Nullable Integer visibilitySeconds) {
  public static QueueSettle delete(Ulid id, @Nullable Receipt receipt) {
    return new QueueSettle(id, receipt, null);
  }

  public static QueueSettle visibility(Ulid id, @Nullable Receipt receipt, int seconds) {
    return new QueueSettle(id, receipt, seconds);
  }
}
