package dev.ron.mailbox.shard;

import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Reply;
import dev.ron.kernel.time.Time;
import dev.ron.mailbox.core.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Reminds the shards of their messages' age.
 *
 * <p>A shard whose inbox is full is not reminded this time; a message that is a few seconds too old
 * does no harm.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class RetentionSweep implements Task {
  /** A shard lets go of a few hundred a time; this empties a full default shard in minutes. */
  private static final Duration EVERY = Duration.ofSeconds(10);

  private final List<ShardSlot> slots;
  private final Command.Retain retain;
  private final Time time;
  private Instant nextAt = Instant.MIN;

  public RetentionSweep(List<ShardSlot> slots, Command.Retain retain, Time time) {
    this.slots = slots;
    this.retain = retain;
    this.time = time;
  }

  @Override
  @SuppressWarnings("UnusedVariable") // a full inbox is skipped, as said above
  public Next run(Instant now) {
    if (!now.isBefore(nextAt)) {
      nextAt = now.plus(EVERY);
      for (ShardSlot slot : slots) {
        // Also where a queue's messages were moved to, which need not be its home.
        var ages =
            new Command.Retain(
                retain.readyMillis(),
                retain.deadMillis(),
                slot.topics().queues().retentionMillis());
        var _ = slot.inbox().trySend(new ShardRequest.Do(ages, new Reply<>(time)));
      }
    }
    return Next.at(nextAt);
  }
}
