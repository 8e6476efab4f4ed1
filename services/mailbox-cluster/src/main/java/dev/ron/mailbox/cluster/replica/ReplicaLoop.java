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
 * <p>A leader's shard runs ahead of what is agreed on. When the reign ends, what was ahead may or
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

  private final ShardSlot home;
  private final Replica replica;
  private final MailboxMetrics metrics;
  private final RandomGenerator random;
  private final ShardCommit commit;
  private @Nullable Leading leading;
  private boolean changed = true;
  private long figuresAt;

  /** A reign, and the loop that decides in it. */
  private record Leading(LeaderTerm reign, ShardLoop loop) {}

  public ReplicaLoop(
      ShardSlot home, Replica replica, MailboxMetrics metrics, RandomGenerator random) {
    this.home = home;
    this.replica = replica;
    this.metrics = metrics;
    this.random = random;
    this.commit = new ShardCommit(home, replica.journal().facts(), metrics);
    if (home.takeReplica()) {
      // The loop before this one failed and left facts on their way that this one does not know.
      replica.reign().value().ifPresent(replica::abdicate);
    }
  }

  @Override
  public Next run(Instant now) throws Exception {
    // First the reign, then what came before it: so a reign begins on a shard that knows all.
    Watch.Version<Optional<LeaderTerm>> seen = replica.reign().latest();
    LeaderTerm reign = seen.value().orElse(null);
    long cursor = replica.cursor();
    boolean foreign = replay();
    Leading mine = leading;
    if (mine != null && (mine.reign() != reign || mine.reign().isOver() || foreign)) {
      stepDown(mine, foreign);
    }
    if (leading == null && reign != null && !reign.isOver() && !foreign) {
      leading = new Leading(reign, loop(reign));
    }
    List<Inbox> inboxes = new ArrayList<>();
    inboxes.add(replica.replayed(home.number()));
    inboxes.add(replica.reign().after(seen));
    Instant until = Instant.MAX;
    if (leading != null) {
      if (!(leading.loop().run(now) instanceof Next.Await await)) {
        return Next.again();
      }
      inboxes.addAll(await.inboxes());
      until = await.noLaterThan();
    } else {
      if (serve(cursor)) {
        return Next.again();
      }
      inboxes.add(home.inbox());
      until = show(now.toEpochMilli());
    }
    return new Next.Await(inboxes, until);
  }

  private ShardLoop loop(LeaderTerm reign) {
    var log = new FactLog(reign, replica.journal().standing());
    // Behind all of this shard that is agreed on, and before all that it will decide.
    return new ShardLoop(home, home.shard(), log, metrics, random, true);
  }

  /** True if a fact came that a leader here did not decide. */
  private boolean replay() throws IOException, InterruptedException {
    boolean foreign = false;
    for (List<ReplayBatch> some = replica.replayed(home.number()).receiveBatch(REPLAYED_MAX);
        !some.isEmpty();
        some = replica.replayed(home.number()).receiveBatch(REPLAYED_MAX)) {
      for (ReplayBatch each : some) {
        if (each.anew()) {
          home.heard(replica.journal().flushed().value().position());
          home.recoverReplica();
          changed = true;
        }
        for (ReplayBatch.At fact : each.facts()) {
          if (fact.position() >= home.appended()) {
            if (leading == null) {
              commit.apply(FactReader.decode(fact.record()), fact.position(), home.shard());
              home.appended(fact.position() + 1);
              changed = true;
            } else {
              foreign = true;
            }
          }
          home.heard(fact.position() + 1);
        }
      }
    }
    if (leading == null && changed) {
      home.settle();
    }
    return foreign;
  }

  private void stepDown(Leading old, boolean foreign) throws IOException, InterruptedException {
    leading = null;
    replica.abdicate(old.reign());
    FlushPosition agreed = old.reign().flushed().value();
    home.pay(agreed);
    // They ask again, wherever the leader is then.
    home.dismissPolls();
    if (foreign || home.appended() > agreed.position()) {
      home.recoverReplica();
    }
    changed = true;
  }

  /** What can be answered without deciding. */
  private boolean serve(long cursor) {
    Queue<ShardRequest> taken = home.take(ASKS_MAX);
    boolean some = !taken.isEmpty();
    for (ShardRequest ask = taken.poll(); ask != null; ask = taken.poll()) {
      switch (ask) {
        case ShardRequest.Do _, ShardRequest.Receive _ ->
            ask.turnAway(
                new MailboxFault.Unavailable(
                    "another machine leads shard %d; nothing was done".formatted(home.number())));
        case ShardRequest.Look<?> look -> look(look);
        case ShardRequest.Capture(var to) ->
            to.trySend(
                new ShardCapture(
                    home.number(),
                    Math.max(home.appended(), cursor),
                    home.shard().image(),
                    replica.journal().standing().leases(home.shard())));
      }
    }
    return some;
  }

  private <T> void look(ShardRequest.Look<T> look) {
    if (look.claim()) {
      look.reply().answer(new QueryResult.Seen<>(look.look().apply(home.shard())));
    }
  }

  private Instant show(long nowMillis) {
    if (changed && nowMillis >= figuresAt + FIGURES_MILLIS) {
      home.figures(ShardStats.of(home.shard()));
      figuresAt = nowMillis;
      changed = false;
    }
    return changed ? Instant.ofEpochMilli(figuresAt + FIGURES_MILLIS) : Instant.MAX;
  }

  @Override
  public void finish(Instant now) {
    Leading mine = leading;
    if (mine != null) {
      replica.abdicate(mine.reign());
      home.pay(mine.reign().flushed().value());
    }
    home.refuse("the mailbox has stopped before the others answered");
    home.dismissPolls();
  }
}
