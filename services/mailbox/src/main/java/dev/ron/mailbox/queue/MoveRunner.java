package dev.ron.mailbox.queue;

import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Deadline;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.Outcome;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.core.QueueCommand;
import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.shard.ShardSlot;
import dev.ron.mailbox.shard.Shards;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Carries out the moves that are under way, a few messages at a time.
 *
 * <p>A move is kept in the home shard of the queue it takes from, and the machine that leads that
 * shard carries it out; so it goes on after a restart and after a change of leader. Each message is
 * moved by one fact, and how far a move is comes behind it: a crash in between makes a count too
 * low and loses no message.
 *
 * <p>Threading: steps from one thread at a time; a step waits for the shards.
 */
public final class MoveRunner implements Task {
  /** So often a part of a second's messages is moved, so that a rate is even. */
  private static final int STEPS_PER_SECOND = 4;

  private static final Duration EVERY = Duration.ofMillis(1000 / STEPS_PER_SECOND);

  /** Of one shard at a time, where no rate is given. */
  private static final int BATCH_MAX = 500;

  /** The words that clients of AWS know. */
  private static final String NO_DESTINATION = "AWS.SimpleQueueService.NonExistentQueue";

  private static final String NO_SOURCE = "CouldNotDetermineMessageSource";

  private static final Duration STEP_LIMIT = Duration.ofSeconds(10);

  private final Scope scope;
  private final Shards shards;

  /** How many steps there were, to share out a rate that is not a multiple of them. */
  private long steps;

  public MoveRunner(Scope scope, Shards shards) {
    this.scope = scope;
    this.shards = shards;
  }

  @Override
  public Next run(Instant now) throws Exception {
    steps++;
    Deadline.in(STEP_LIMIT, scope.time())
        .call(
            () -> {
              for (MoveTask task : running()) {
                step(task);
              }
              return true;
            });
    return Next.at(now.plus(EVERY));
  }

  /** Those of the shards that this machine decides. */
  private List<MoveTask> running() throws InterruptedException {
    var running = new ArrayList<MoveTask>();
    for (ShardSlot slot : shards.slots()) {
      if (slot.hasMoves()
          && slot.journal().replication().decides()
          && shards.look(slot.number(), shard -> shard.runningMoves())
              instanceof QueryResult.Seen<List<MoveTask>>(List<MoveTask> some)) {
        running.addAll(some);
      }
    }
    return running;
  }

  private void step(MoveTask task) throws InterruptedException {
    int allowed = allowed(task.perSecond());
    if (allowed == 0) {
      return;
    }
    int moved = 0;
    boolean putOff = false;
    for (int shard : shards.topics().of(task.source())) {
      if (moved < allowed) {
        var some = new QueueCommand.Move(task.source(), task.destination(), allowed - moved);
        switch (shards.ask(shard, some)) {
          case Outcome.Counted(int count) -> moved += count;
          case Outcome.Refused(MailboxFault fault) -> {
            // A shard that is busy or has no leader now: the next step tries again.
            scope.log().info("move-put-off", "source", task.source(), "why", fault.detail());
            putOff = true;
          }
          case Outcome other -> throw new IllegalStateException("no count: " + other);
        }
      }
    }
    if (moved > 0) {
      tell(task, moved, MoveTask.Status.RUNNING, "");
    } else if (!putOff) {
      String failure = failure(task);
      tell(
          task, 0, failure.isEmpty() ? MoveTask.Status.COMPLETED : MoveTask.Status.FAILED, failure);
    }
  }

  /** Refused if it was cancelled meanwhile, or its queue is gone. */
  private void tell(MoveTask task, int moved, MoveTask.Status then, String failure)
      throws InterruptedException {
    var _ =
        shards.ask(
            shards.topics().mainShard(task.source()),
            new QueueCommand.MoveStep(task.source(), task.id(), moved, then, failure));
  }

  /** Why nothing moves; empty if there is nothing that could. */
  private String failure(MoveTask task) throws InterruptedException {
    for (int shard : shards.topics().of(task.source())) {
      if (shards.look(shard, each -> each.stuck(task.source(), task.destination()))
              instanceof QueryResult.Seen<Boolean>(Boolean stuck)
          && stuck) {
        return task.destination().isEmpty() ? NO_SOURCE : NO_DESTINATION;
      }
    }
    return "";
  }

  /** This step's part of a second's messages. */
  private int allowed(int perSecond) {
    if (perSecond == 0) {
      return BATCH_MAX;
    }
    long part = steps % STEPS_PER_SECOND;
    return (int) (perSecond * (part + 1) / STEPS_PER_SECOND - perSecond * part / STEPS_PER_SECOND);
  }
}
