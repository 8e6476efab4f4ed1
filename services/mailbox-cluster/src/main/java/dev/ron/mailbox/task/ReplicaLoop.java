package dev.ron.mailbox.task;

import dev.ron.journal.Flushed;
import dev.ron.kernel.channel.Inbox;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.MailboxMetrics;
import dev.ron.mailbox.disk.Captured;
import dev.ron.mailbox.disk.FactLog;
import dev.ron.mailbox.wire.FactReader;
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

  private final ShardHome home;
  private final Replica replica;
  private final MailboxMetrics metrics;
  private final RandomGenerator random;
  private final Commit commit;
  private @Nullable Leading leading;
  private boolean changed = true;
  private long figuresAt;

  /** A reign, and the loop that decides in it. */
  private record Leading(Reign reign, ShardLoop loop) {}

  public ReplicaLoop(
      ShardHome home, Replica replica, MailboxMetrics metrics, RandomGenerator random) {
    this.home = home;
    this.replica = replica;
    this.metrics = metrics;
    this.random = random;
    this.commit = new Commit(home, replica.journal().facts(), metrics);
    if (home.takeReplica()) {
      // The loop before this one failed and left facts on their way that this one does not know.
      replica.reign().value().ifPresent(replica::abdicate);
    }
  }

  @Override
  public Next run(Instant now) throws Exception {
    // First the reign, then what came before it: so a reign begins on a shard that knows all.
    Watch.Version<Optional<Reign>> seen = replica.reign().latest();
    Reign reign = seen.value().orElse(null);
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

  private ShardLoop loop(Reign reign) {
    var log = new FactLog(reign, replica.journal().standing());
    // Behind all of this shard that is agreed on, and before all that it will decide.
    return new ShardLoop(home, home.shard(), log, metrics, random, true);
  }

  /** True if a fact came that a leader here did not decide. */
  private boolean replay() throws IOException, InterruptedException {
    boolean foreign = false;
    for (List<Replayed> some = replica.replayed(home.number()).receiveBatch(REPLAYED_MAX);
        !some.isEmpty();
        some = replica.replayed(home.number()).receiveBatch(REPLAYED_MAX)) {
      for (Replayed each : some) {
        if (each.anew()) {
          home.heard(replica.journal().flushed().value().position());
          home.recoverReplica();
          changed = true;
        }
        for (Replayed.At fact : each.facts()) {
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
    Flushed agreed = old.reign().flushed().value();
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
    Queue<Ask> taken = home.take(ASKS_MAX);
    boolean some = !taken.isEmpty();
    for (Ask ask = taken.poll(); ask != null; ask = taken.poll()) {
      switch (ask) {
        case Ask.Do _, Ask.Receive _ ->
            ask.turnAway(
                new MailboxFault.Unavailable(
                    "another machine leads shard %d; nothing was done".formatted(home.number())));
        case Ask.Look<?> look -> look(look);
        case Ask.Capture(var to) ->
            to.trySend(
                new Captured(
                    home.number(),
                    Math.max(home.appended(), cursor),
                    home.shard().image(),
                    replica.journal().standing().leases(home.shard())));
      }
    }
    return some;
  }

  private <T> void look(Ask.Look<T> look) {
    if (look.claim()) {
      look.reply().answer(new Looked.Seen<>(look.look().apply(home.shard())));
    }
  }

  private Instant show(long nowMillis) {
    if (changed && nowMillis >= figuresAt + FIGURES_MILLIS) {
      home.figures(ShardFigures.of(home.shard()));
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
