package dev.ron.mailbox.task;

import dev.ron.mailbox.MailboxFault;
import java.util.List;

/** What takes one place in a shard's inbox. */
public sealed interface Posted permits Ask, Posted.Batch {
  /** The inbox did not take it: whoever waits is told so. */
  void turnAway(MailboxFault fault);

  /**
   * Many that came in one request. They take one place, or a few large batches would turn away
   * everybody else; the length of a batch and the number of requests bound what that can mean.
   */
  record Batch(List<Ask.Do> asks) implements Posted {
    public Batch {
      asks = List.copyOf(asks);
    }

    @Override
    public void turnAway(MailboxFault fault) {
      asks.forEach(each -> each.turnAway(fault));
    }
  }
}
