package dev.ron.mailbox.cluster.replica;

import dev.ron.journal.FlushPosition;
import dev.ron.kernel.channel.Inbox;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.MailboxMetrics;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.journal.FactLog;
import dev.ron.mailbox.journal.FactReader;
import dev.ron.mailbox.journal.ShardCapture;
import dev.ron.mailbox.shard.ShardCommit;
import dev.ron.mailbox.shard.ShardLoop;
import dev.ron.mailbox.shard.ShardRequest;
import dev.ron.mailbox.shard.ShardSlot;
import dev.ron.mailbox.shard.ShardStats;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A shard that several machines keep: follows what they agreed on, and decides by a {@link
 * ShardLoop} while this machine leads.
 *
 * <p>A leader's shard runs ahead of what is agreed on. When the term ends, what was ahead may or
 * may not come to be; the shard is then read from the journal again, which has what was agreed on
 * and nothing else.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class ReplicaLoop implements Task {
  private static final int ASKS_MAX = 128;
  private static final int REPLAYED_MAX = 64;

  /** How old the figures for metrics may be. */
  private static final long FIGURES_MILLIS = 500;

  private final ShardSlot slot;
  private final Replica replica;
  private final MailboxMetrics metrics;
  private final RandomGenerator random;
  private final ShardCommit commit;
  private @Nullable Leader leader;
  private boolean changed = true;
  private long figuresAt;

  /** A term, and the loop that decides in it. */
  private record Leader(LeaderTerm leaderTerm, ShardLoop loop) {}

  public ReplicaLoop(
      ShardSlot slot, Replica replica, MailboxMetrics metrics, RandomGenerator random) {
    this.slot = slot;
    this.replica = replica;
    this.metrics = metrics;
    this.random = random;
    this.commit = new ShardCommit(slot, replica.journal().facts(), metrics);
    if (slot.takeReplica()) {
      // The loop before this one failed and left facts on their way that this one does not know.
      replica.leaderTerm().value().ifPresent(replica::endTerm);
    }
  }

  @Override
  public Next run(Instant now) throws Exception {
    // First the term, then what came before it: so a term begins on a shard that knows all.
    Watch.Version<Optional<LeaderTerm>> seen = replica.leaderTerm().latest();
    LeaderTerm leaderTerm = seen.value().orElse(null);
    long cursor = replica.cursor();
    boolean foreign = replay();
    Leader mine = leader;
    if (mine != null
        && (mine.leaderTerm() != leaderTerm || mine.leaderTerm().isOver() || foreign)) {
      stepDown(mine, foreign);
    }
    if (leader == null && leaderTerm != null && !leaderTerm.isOver() && !foreign) {
      leader = new Leader(leaderTerm, loop(leaderTerm));
    }
    List<Inbox> inboxes = new ArrayList<>();
    inboxes.add(replica.replayed(slot.number()));
    inboxes.add(replica.leaderTerm().after(seen));
    Instant until = Instant.MAX;
    if (leader != null) {
      if (!(leader.loop().run(now) instanceof Next.Await await)) {
        return Next.again();
      }
      inboxes.addAll(await.inboxes());
      until = await.noLaterThan();
    } else {
      if (serve(cursor)) {
        return Next.again();
      }
      inboxes.add(slot.inbox());
      until = show(now.toEpochMilli());
    }
    return new Next.Await(inboxes, until);
  }

  private ShardLoop loop(LeaderTerm leaderTerm) {
    var log = new FactLog(leaderTerm, replica.journal().replication());
    // Behind all of this shard that is agreed on, and before all that it will decide.
    return new ShardLoop(slot, slot.shard(), log, metrics, random, true);
  }

  /** True if a fact came that a leader here did not decide. */
  private boolean replay() throws IOException, InterruptedException {
    boolean foreign = false;
    for (List<ReplayBatch> some = replica.replayed(slot.number()).receiveBatch(REPLAYED_MAX);
        !some.isEmpty();
        some = replica.replayed(slot.number()).receiveBatch(REPLAYED_MAX)) {
      for (ReplayBatch each : some) {
        if (each.anew()) {
          slot.heard(replica.journal().flushed().value().position());
          slot.recoverReplica();
          changed = true;
        }
        for (ReplayBatch.At fact : each.facts()) {
          if (fact.position() >= slot.appended()) {
            if (leader == null) {
              commit.apply(FactReader.decode(fact.record()), fact.position(), slot.shard());
              slot.appended(fact.position() + 1);
              changed = true;
            } else {
              foreign = true;
            }
          }
          slot.heard(fact.position() + 1);
        }
      }
    }
    if (leader == null && changed) {
      slot.settle();
    }
    return foreign;
  }

  private void stepDown(Leader old, boolean foreign) throws IOException, InterruptedException {
    leader = null;
    replica.endTerm(old.leaderTerm());
    FlushPosition agreed = old.leaderTerm().flushed().value();
    slot.answer(agreed);
    // They ask again, wherever the leader is then.
    slot.dismissPolls();
    if (foreign || slot.appended() > agreed.position()) {
      slot.recoverReplica();
    }
    changed = true;
  }

  /** What can be answered without deciding. */
  private boolean serve(long cursor) {
    Queue<ShardRequest> taken = slot.take(ASKS_MAX);
    boolean some = !taken.isEmpty();
    for (ShardRequest ask = taken.poll(); ask != null; ask = taken.poll()) {
      switch (ask) {
        case ShardRequest.Do _, ShardRequest.Receive _ ->
            ask.turnAway(
                new MailboxFault.Unavailable(
                    "another machine leads shard %d; nothing was done".formatted(slot.number())));
        case ShardRequest.Look<?> look -> look(look);
        case ShardRequest.Capture(var to) ->
            to.trySend(
                new ShardCapture(
                    slot.number(),
                    Math.max(slot.appended(), cursor),
                    slot.shard().image(),
                    replica.journal().replication().leases(slot.shard())));
      }
    }
    return some;
  }

  private <T> void look(ShardRequest.Look<T> look) {
    if (look.claim()) {
      look.reply().answer(new QueryResult.Seen<>(look.look().apply(slot.shard())));
    }
  }

  private Instant show(long nowMillis) {
    if (changed && nowMillis >= figuresAt + FIGURES_MILLIS) {
      slot.figures(ShardStats.of(slot.shard()));
      figuresAt = nowMillis;
      changed = false;
    }
    return changed ? Instant.ofEpochMilli(figuresAt + FIGURES_MILLIS) : Instant.MAX;
  }

  @Override
  public void finish(Instant now) {
    Leader mine = leader;
    if (mine != null) {
      replica.endTerm(mine.leaderTerm());
      slot.answer(mine.leaderTerm().flushed().value());
    }
    slot.refuse("the mailbox has stopped before the others answered");
    slot.dismissPolls();
  }
}
