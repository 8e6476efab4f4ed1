package dev.ron.mailbox.shard;

import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.mailbox.core.ShardLayout;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Watches the shards that a change of {@code shard_count} left over, until they are empty and their
 * keys forgotten; then the folder forgets that they were.
 *
 * <p>It moves nothing, see {@link ShardLayout}: no send goes to those shards any more, receivers
 * empty them, so what is left only ever gets less. Their loops end with the process; the next start
 * has none for them.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class Rebalancer implements Task {
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  private final Scope scope;
  private final List<ShardSlot> homes;
  private final long replayMillis;
  private final Keeping keeping;
  private ShardLayout layout;

  /** Where the layout is kept. */
  @FunctionalInterface
  public interface Keeping {
    void keep(ShardLayout layout) throws IOException;
  }

  public Rebalancer(
      Scope scope, List<ShardSlot> homes, ShardLayout layout, long replayMillis, Keeping keeping) {
    this.scope = scope;
    this.homes = homes;
    this.layout = layout;
    this.replayMillis = replayMillis;
    this.keeping = keeping;
  }

  @Override
  public Next run(Instant now) throws IOException {
    if (layout.former().isEmpty()) {
      return Next.done();
    }
    ShardLayout next = layout.settled(shardsInUse(homes), now.toEpochMilli(), replayMillis);
    if (!next.equals(layout)) {
      keeping.keep(next);
      scope.log().info("rebalanced", "shards", next.shardCount(), "former", next.former().size());
      layout = next;
    }
    return Next.at(now.plus(LOOK_EVERY));
  }

  /** One more than the highest that has a message, dead or alive. */
  private static int shardsInUse(List<ShardSlot> homes) {
    return homes.stream()
        .filter(home -> left(home) > 0)
        .mapToInt(home -> home.number() + 1)
        .max()
        .orElse(0);
  }

  /** Messages in shards that take none any more. */
  static long left(List<ShardSlot> homes, ShardLayout layout) {
    return homes.stream()
        .filter(home -> home.number() >= layout.shardCount())
        .mapToLong(Rebalancer::left)
        .sum();
  }

  private static long left(ShardSlot home) {
    ShardStats figures = home.figures();
    return (long) figures.living() + figures.dead();
  }
}
