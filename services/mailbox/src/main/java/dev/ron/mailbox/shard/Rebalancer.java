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
  private final List<ShardSlot> slots;
  private final long replayMillis;
  private final LayoutStore layoutStore;
  private ShardLayout layout;

  /** Where the layout is kept. */
  @FunctionalInterface
  public interface LayoutStore {
    void keep(ShardLayout layout) throws IOException;
  }

  public Rebalancer(
      Scope scope,
      List<ShardSlot> slots,
      ShardLayout layout,
      long replayMillis,
      LayoutStore layoutStore) {
    this.scope = scope;
    this.slots = slots;
    this.layout = layout;
    this.replayMillis = replayMillis;
    this.layoutStore = layoutStore;
  }

  @Override
  public Next run(Instant now) throws IOException {
    if (layout.former().isEmpty()) {
      return Next.done();
    }
    ShardLayout next = layout.settled(shardsInUse(slots), now.toEpochMilli(), replayMillis);
    if (!next.equals(layout)) {
      layoutStore.keep(next);
      scope.log().info("rebalanced", "shards", next.shardCount(), "former", next.former().size());
      layout = next;
    }
    return Next.at(now.plus(LOOK_EVERY));
  }

  /** One more than the highest that has a message, dead or alive, or is the home of a queue. */
  private static int shardsInUse(List<ShardSlot> slots) {
    return slots.stream()
        .filter(slot -> left(slot) > 0 || slot.figures().queues() > 0)
        .mapToInt(slot -> slot.number() + 1)
        .max()
        .orElse(0);
  }

  /** Messages in shards that take none any more. */
  static long left(List<ShardSlot> slots, ShardLayout layout) {
    return slots.stream()
        .filter(slot -> slot.number() >= layout.shardCount())
        .mapToLong(Rebalancer::left)
        .sum();
  }

  private static long left(ShardSlot slot) {
    ShardStats figures = slot.figures();
    return (long) figures.living() + figures.dead();
  }
}
