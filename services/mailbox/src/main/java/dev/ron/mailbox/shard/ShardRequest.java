package dev.ron.mailbox.shard;

import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.time.Reply;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.journal.ShardCapture;
import java.util.function.Function;

/** One thing that a shard is asked for. */
public sealed interface ShardRequest extends InboxItem {
  /** True for the first; see {@link Reply#claim}. */
  boolean claim();

  /** The shard claimed it and could not do it: the waiting request is told so. */
  void refuse(MailboxFault fault);

  /** It was not claimed, and no shard will. */
  @Override
  default void turnAway(MailboxFault fault) {
    if (claim()) {
      refuse(fault);
    }
  }

  /** To decide and do something. */
  record Do(Command command, Reply<Outcome> reply) implements ShardRequest {
    @Override
    public boolean claim() {
      return reply.claim();
    }

    @Override
    public void refuse(MailboxFault fault) {
      reply.answer(new Outcome.Refused(fault));
    }
  }

  /**
   * To hand out messages.
   *
   * @param waits stays until there is a message or the request gives up
   */
  record Receive(ReceiveRequest request, boolean waits, Reply<ReceiveResult> reply)
      implements ShardRequest {
    @Override
    public boolean claim() {
      return reply.claim();
    }

    @Override
    public void refuse(MailboxFault fault) {
      reply.answer(new ReceiveResult.Refused(fault));
    }
  }

  /** To look at the shard; answers a value that holds nothing of the shard itself. */
  record Look<T>(Function<Shard, T> look, Reply<QueryResult<T>> reply) implements ShardRequest {
    @Override
    public boolean claim() {
      return reply.claim();
    }

    @Override
    public void refuse(MailboxFault fault) {
      reply.answer(new QueryResult.Refused<>(fault));
    }
  }

  /** To be written down for a snapshot. */
  record Capture(Channel<ShardCapture> to) implements ShardRequest {
    @Override
    public boolean claim() {
      return true;
    }

    @Override
    public void refuse(MailboxFault fault) {
      // The snapshot's task tries again by itself.
    }
  }
}
