package dev.ron.mailbox.queue;

import dev.ron.kernel.Scope;
import dev.ron.kernel.time.Time;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.core.QueueCommand;
import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.core.queue.QueueCounts;
import dev.ron.mailbox.core.queue.QueueRefusal;
import dev.ron.mailbox.shard.Shards;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Moves of a queue's messages: begun, looked at and ended here, carried out by {@link MoveRunner}.
 *
 * <p>Threading: thread-safe; every call may wait under the request's deadline and belongs on a
 * thread of its own.
 */
public final class QueueMoves {
  private final Queues queues;
  private final Shards shards;
  private final Time time;
  private final RandomGenerator random;

  QueueMoves(Queues queues, Shards shards, Scope scope) {
    this.queues = queues;
    this.shards = shards;
    this.time = scope.time();
    this.random = scope.secrets();
  }

  /**
   * Starts a move of all messages of a queue; it goes on by itself, also after a restart.
   *
   * <p>Refused: {@link QueueRefusal#NOT_A_TARGET}, {@link QueueRefusal#NO_DESTINATION}, {@link
   * QueueRefusal#MOVE_RUNNING}.
   *
   * @param destination empty: each to the queue it came from
   * @param perSecond 0 for as fast as it goes
   */
  public QueryResult<MoveTask> start(String source, String destination, int perSecond)
      throws InterruptedException {
    Optional<MailboxFault> none = queues.missing(source);
    if (none.isPresent()) {
      return new QueryResult.Refused<>(none.get());
    }
    if (queues.sources(source).isEmpty()) {
      return refused(QueueRefusal.NOT_A_TARGET, source);
    }
    if (!destination.isEmpty() && queues.missing(destination).isPresent()) {
      return refused(QueueRefusal.NO_DESTINATION, destination);
    }
    return switch (queues.counts(source)) {
      case QueryResult.Refused<QueueCounts>(MailboxFault fault) -> new QueryResult.Refused<>(fault);
      case QueryResult.Seen<QueueCounts>(QueueCounts counts) ->
          move(
              new QueueCommand.StartMove(
                  new MoveTask(
                      uuid(),
                      source,
                      destination,
                      perSecond,
                      time.wall().toEpochMilli(),
                      MoveTask.Status.RUNNING,
                      0,
                      counts.ready(),
                      "")));
    };
  }

  private static <T> QueryResult<T> refused(QueueRefusal why, String detail) {
    return new QueryResult.Refused<>(new MailboxFault.QueueRefused(why, detail));
  }

  private String uuid() {
    long high = (random.nextLong() & ~0xf000L) | 0x4000L;
    long low = (random.nextLong() >>> 2) | Long.MIN_VALUE;
    return new UUID(high, low).toString();
  }

  /** The moves of a queue's messages, the latest first; ten at most. */
  public QueryResult<List<MoveTask>> of(String source) throws InterruptedException {
    return shards.look(queues.home(source), each -> each.moves(source));
  }

  /** Ends a move where it is; {@link QueueRefusal#NO_MOVE} if it does not run. */
  public QueryResult<MoveTask> cancel(String source, String id) throws InterruptedException {
    return move(new QueueCommand.MoveStep(source, id, 0, MoveTask.Status.CANCELLED, ""));
  }

  private QueryResult<MoveTask> move(QueueCommand command) throws InterruptedException {
    return switch (queues.ask(command)) {
      case Outcome.Move(MoveTask task) -> new QueryResult.Seen<>(task);
      case Outcome.Refused(MailboxFault fault) -> new QueryResult.Refused<>(fault);
      case Outcome other -> throw new IllegalStateException("no answer about a move: " + other);
    };
  }
}
