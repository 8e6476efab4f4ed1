package dev.ron.mailbox.shard;

import dev.ron.journal.FlushPosition;
import dev.ron.mailbox.MailboxFault;
import java.util.ArrayDeque;

/**
 * Answers that wait for the disk, in the order of their positions.
 *
 * <p>An answer waits for everything its shard had appended when it was decided, not for its own
 * facts alone: what it tells may rest on a fact of another request that is still on its way.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class PendingReplies {
  private final ArrayDeque<PendingReply> pending = new ArrayDeque<>();

  private record PendingReply(long position, ShardRequest ask, Runnable answer) {}

  void add(long position, ShardRequest ask, Runnable answer) {
    pending.add(new PendingReply(position, ask, answer));
  }

  /** Gives every answer that the disk now backs; if the disk never will, says that instead. */
  void answer(FlushPosition flushed) {
    for (PendingReply next = pending.peek();
        next != null && next.position() <= flushed.position();
        next = pending.peek()) {
      pending.remove().answer().run();
    }
    flushed.fault().ifPresent(fault -> refuse(fault.detail()));
  }

  void refuse(String why) {
    for (PendingReply next = pending.poll(); next != null; next = pending.poll()) {
      next.ask().refuse(new MailboxFault.Unavailable(why));
    }
  }

  boolean isEmpty() {
    return pending.isEmpty();
  }
}
