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
  private final ArrayDeque<Debt> debts = new ArrayDeque<>();

  private record Debt(long position, ShardRequest ask, Runnable pay) {}

  void add(long position, ShardRequest ask, Runnable pay) {
    debts.add(new Debt(position, ask, pay));
  }

  /** Gives every answer that the disk now backs; if the disk never will, says that instead. */
  void pay(FlushPosition flushed) {
    for (Debt next = debts.peek();
        next != null && next.position() <= flushed.position();
        next = debts.peek()) {
      debts.remove().pay().run();
    }
    flushed.fault().ifPresent(fault -> refuse(fault.detail()));
  }

  void refuse(String why) {
    for (Debt debt = debts.poll(); debt != null; debt = debts.poll()) {
      debt.ask().refuse(new MailboxFault.Unavailable(why));
    }
  }

  boolean isEmpty() {
    return debts.isEmpty();
  }
}
