package dev.ron.mailbox.shard;

import dev.ron.mailbox.MailboxFault;
import java.util.List;

/** What takes one place in a shard's inbox. */
public sealed interface InboxItem permits ShardRequest, InboxItem.Batch {
  /** The inbox did not take it: the waiting request is told so. */
  void turnAway(MailboxFault fault);

  /** How much work it is. */
  default int count() {
    return 1;
  }

  /**
   * Many that came in one request. They take one place, or a few large batches would turn away all
   * other requests; the length of a batch and the number of requests bound what that can mean.
   */
  record Batch(List<ShardRequest.Do> asks) implements InboxItem {
    public Batch {
      asks = List.copyOf(asks);
    }

    @Override
    public int count() {
      return asks.size();
    }

    @Override
    public void turnAway(MailboxFault fault) {
      asks.forEach(each -> each.turnAway(fault));
    }
  }
}
