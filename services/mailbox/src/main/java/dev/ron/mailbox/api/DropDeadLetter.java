package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.message.DeadLetterFilter;
import dev.ron.mailbox.core.message.Ulid;

/**
 * {@code DELETE /v1/dlq/{msg_id}}: drops a dead letter.
 *
 * <p>Threading: immutable.
 */
public record DropDeadLetter(ShowDeadLetter show) implements DeadLetterVerb<DropDeadLetter.Reply> {
  /**
   * @param count zero if another request was faster
   */
  public record Reply(boolean ok, int count) {}

  @Override
  public Reply handle(ShowDeadLetter.Request request) throws Refusal, InterruptedException {
    Ulid id = show.handle(request).message().id();
    var command = new Command.Drop(DeadLetterFilter.only(id), 1);
    Outcome outcome = MailboxContext.granted(context().shards().ask(id.shard(), command));
    return new Reply(true, ((Outcome.Counted) outcome).count());
  }
}
