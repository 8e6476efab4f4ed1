package dev.ron.mailbox.core;

import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.core.queue.QueueRecord;

/**
 * What the request is told.
 *
 * <p>Threading: immutable.
 */
public sealed interface Outcome {
  record Accepted(Ulid id, boolean duplicate) implements Outcome {}

  record Delivered(Envelope envelope) implements Outcome {}

  /** Nothing that fits is ready. */
  record Empty() implements Outcome {}

  /** The next message was not what its hash says and went to the dead letters; ask again. */
  record Corrupt(Ulid id) implements Outcome {}

  /**
   * @param repeated it was done before, and nothing is paid for
   */
  record Done(boolean repeated) implements Outcome {
    public Done() {
      this(false);
    }
  }

  /** How many messages it was done to. */
  record Counted(int count) implements Outcome {}

  /** It was done to so many; for as many more that were meant there is no room. */
  record Partly(int count, int left, MailboxFault why) implements Outcome {}

  /** A queue as it is now. */
  record Queue(QueueRecord record) implements Outcome {}

  /** A move between queues as it is now. */
  record Move(MoveTask task) implements Outcome {}

  record Refused(MailboxFault fault) implements Outcome {}
}
