package dev.ron.mailbox.core;

import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.QueueFact;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.queue.MoveTask;
import dev.ron.mailbox.core.queue.QueueRecord;
import dev.ron.mailbox.core.queue.QueueRefusal;
import dev.ron.mailbox.core.queue.QueueTopic;
import dev.ron.mailbox.core.state.IndexedMessage;
import dev.ron.mailbox.core.state.QueueTable;
import dev.ron.mailbox.core.state.ShardState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides about queues: that there is one, what it is told, that it is emptied, and what moves from
 * it to another.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class QueueDecider {
  private static final long PURGE_MILLIS = 60_000;

  private final int shard;
  private final ShardState state;
  private final QueueTable queues;
  private final Predicate<String> exists;

  QueueDecider(int shard, ShardState state, Predicate<String> exists) {
    this.shard = shard;
    this.state = state;
    this.exists = exists;
    this.queues = state.queues();
  }

  ShardDecision make(QueueCommand.Make make, long nowMillis) {
    QueueRecord there = queues.find(make.topic());
    if (there != null) {
      Optional<String> conflict = there.conflict(make.wanted(), make.named());
      return conflict.isPresent() ? refused(QueueRefusal.NAME_TAKEN, conflict.get()) : told(there);
    }
    if (queues.blockedUntil(make.topic()) > nowMillis) {
      return refused(QueueRefusal.DELETED_RECENTLY, make.topic());
    }
    return kept(make.wanted().made(shard, nowMillis));
  }

  ShardDecision find(QueueCommand.Find find) {
    QueueRecord queue = queues.find(find.topic());
    return queue == null ? none(find.topic()) : told(queue);
  }

  ShardDecision change(QueueCommand.Change change, long nowMillis) {
    QueueRecord queue = queues.find(change.topic());
    if (queue == null) {
      return none(change.topic());
    }
    return queue.version() == change.next().version()
        ? kept(queue.changed(change.next(), nowMillis))
        : refused(QueueRefusal.CHANGED_SINCE, change.topic());
  }

  ShardDecision delete(QueueCommand.Delete delete, long nowMillis) {
    QueueRecord queue = queues.find(delete.topic());
    return queue == null
        ? none(delete.topic())
        : ShardDecision.of(
            new Outcome.Queue(queue), new QueueFact.Gone(here(), delete.topic(), nowMillis));
  }

  ShardDecision purge(QueueCommand.Purge purge, long nowMillis) {
    QueueRecord queue = queues.find(purge.topic());
    if (queue == null) {
      return none(purge.topic());
    }
    return queue.purgedMillis() + PURGE_MILLIS > nowMillis
        ? refused(QueueRefusal.PURGED_RECENTLY, purge.topic())
        : ShardDecision.of(
            new Outcome.Queue(queue.purged(nowMillis)),
            new QueueFact.Purged(here(), purge.topic(), nowMillis));
  }

  /** The home has decided that it is to be; here are only messages that were moved. */
  ShardDecision clear(QueueCommand.Clear clear, long nowMillis) {
    return queues.find(clear.topic()) == null
        ? ShardDecision.of(
            new Outcome.Done(), new QueueFact.Purged(here(), clear.topic(), nowMillis))
        : ShardDecision.of(new Outcome.Done());
  }

  /**
   * What is ready; a message in flight belongs to its consumer until its lease ends, and so does
   * what is behind it in a FIFO queue's group. None goes to a queue that is not there.
   */
  ShardDecision move(QueueCommand.Move move, long nowMillis) {
    var facts = new ArrayList<Fact>();
    var waiting = new HashSet<String>();
    boolean fifo = QueueTopic.isFifo(move.topic());
    state.walk(
        move.topic(),
        number -> {
          IndexedMessage item = state.item(number);
          String to = target(number, move.destination());
          boolean goes =
              item.state() == IndexedMessage.State.READY
                  && !to.isEmpty()
                  && !to.equals(move.topic());
          if (goes && !waiting.contains(item.lane().group())) {
            facts.add(new QueueFact.Moved(item.id(), to, "", 0, 0, nowMillis));
          } else if (fifo) {
            waiting.add(item.lane().group());
          }
          return facts.size() < move.max();
        });
    return new ShardDecision(facts, new Outcome.Counted(facts.size()));
  }

  /** Where a message is moved to; empty if there is no such queue. */
  private String target(long number, String destination) {
    String to = destination.isEmpty() ? queues.movedFrom(number) : destination;
    return to.isEmpty() || !exists.test(to) ? "" : to;
  }

  boolean stuck(String topic, String destination) {
    var stuck = new ArrayList<Long>(1);
    state.walk(
        topic,
        number -> {
          boolean ready = state.item(number).state() == IndexedMessage.State.READY;
          if (ready && target(number, destination).isEmpty()) {
            stuck.add(number);
          }
          return stuck.isEmpty();
        });
    return !stuck.isEmpty();
  }

  ShardDecision start(QueueCommand.StartMove start) {
    if (queues.find(start.topic()) == null) {
      return none(start.topic());
    }
    return queues.moves(start.topic()).stream().anyMatch(MoveTask::running)
        ? refused(QueueRefusal.MOVE_RUNNING, start.topic())
        : kept(start.task());
  }

  ShardDecision step(QueueCommand.MoveStep step) {
    return queues.moves(step.topic()).stream()
        .filter(task -> task.running() && task.id().equals(step.id()))
        .findFirst()
        .map(task -> kept(task.after(step.moved(), step.then(), step.failure())))
        .orElseGet(() -> refused(QueueRefusal.NO_MOVE, step.id()));
  }

  private Ulid here() {
    return QueueFact.ofShard(shard);
  }

  private static ShardDecision told(QueueRecord queue) {
    return ShardDecision.of(new Outcome.Queue(queue));
  }

  private static ShardDecision kept(QueueRecord queue) {
    return ShardDecision.of(new Outcome.Queue(queue), new QueueFact.Kept(queue));
  }

  private ShardDecision kept(MoveTask task) {
    return ShardDecision.of(new Outcome.Move(task), new QueueFact.MoveKept(here(), task));
  }

  static ShardDecision none(String topic) {
    return ShardDecision.refused(new MailboxFault.NoSuchQueue(topic));
  }

  static ShardDecision refused(QueueRefusal why, String detail) {
    return ShardDecision.refused(new MailboxFault.QueueRefused(why, detail));
  }
}
