package dev.ron.mailbox.api;

import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Command;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.message.DeadLetterFilter;
import dev.ron.mailbox.core.message.Ulid;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/dlq/reprocess}: sends dead letters again, by filter, up to a number, at a rate.
 *
 * <p>The rate is that of each shard. A full shard keeps what does not fit, and the answer says so.
 *
 * <p>Threading: immutable.
 */
public record Reprocess(MailboxContext context)
    implements FormVerb<Reprocess.Request, Reprocess.Reply> {
  private static final int LIMIT_DEFAULT = 100;
  private static final int PER_SECOND_MAX = 1_000_000;

  private static final Form FORM =
      MailboxContext.form(
          MailboxContext.TOPIC.optional(),
          Field.text("reason").optional(),
          Field.number("limit", 1, ListDeadLetters.LIMIT_MAX).optional(),
          Field.number("per_second", 0, PER_SECOND_MAX).optional());

  /**
   * @param perSecond zero for all at once
   */
  public record Request(DeadLetterFilter filter, int limit, int perSecond) {}

  /**
   * What became of them.
   *
   * @param left those that were meant and stay where they are, as far as they were counted; null if
   *     none does
   * @param why they stay
   */
  public record Reply(boolean ok, int count, @Nullable Integer left, @Nullable String why) {}

  @Override
  public Form form() {
    return FORM;
  }

  @Override
  public Request request(Caller caller, Fields read) throws Refusal {
    return new Request(
        ListDeadLetters.filter(
            context, caller, read.textOrNull("topic"), read.textOrNull("reason"), null),
        (int) read.number("limit", LIMIT_DEFAULT),
        (int) read.number("per_second", 0));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    MoveCount moved = MoveCount.NONE;
    int shards = context.shards().count();
    for (int shard = 0; shard < shards && request.limit() > moved.count(); shard++) {
      int left = request.limit() - moved.count();
      var command = new Command.Reprocess(request.filter(), left, request.perSecond());
      moved = moved.and(context.shards().ask(shard, command));
    }
    return moved.reply();
  }

  /** {@code POST /v1/dlq/{msg_id}/reprocess}: sends one again. */
  public record One(ShowDeadLetter show) implements DeadLetterVerb<Reply> {
    @Override
    public Reply handle(ShowDeadLetter.Request request) throws Refusal, InterruptedException {
      Ulid id = show.handle(request).message().id();
      var command = new Command.Reprocess(DeadLetterFilter.only(id), 1, 0);
      return MoveCount.NONE.and(context().shards().ask(id.shard(), command)).reply();
    }
  }

  /** The count over several shards, and why the last one that kept some did so. */
  private record MoveCount(int count, int left, @Nullable MailboxFault why) {
    static final MoveCount NONE = new MoveCount(0, 0, null);

    MoveCount and(Outcome outcome) {
      return switch (outcome) {
        case Outcome.Counted(int more) -> new MoveCount(count + more, left, why);
        case Outcome.Partly(int more, int stay, MailboxFault fault) ->
            new MoveCount(count + more, left + stay, fault);
        case Outcome.Refused(MailboxFault fault) -> new MoveCount(count, left, fault);
        case Outcome.Accepted _,
            Outcome.Delivered _,
            Outcome.Empty _,
            Outcome.Corrupt _,
            Outcome.Done _,
            Outcome.Queue _,
            Outcome.Move _ ->
            throw new IllegalStateException("sending again was answered with " + outcome);
      };
    }

    /** Where nothing was done the reason is the answer. */
    Reply reply() throws Refusal {
      MailboxFault fault = why;
      if (fault == null) {
        return new Reply(true, count, null, null);
      }
      if (count == 0) {
        throw Refusal.of(fault);
      }
      return new Reply(true, count, left, fault.detail());
    }
  }
}
