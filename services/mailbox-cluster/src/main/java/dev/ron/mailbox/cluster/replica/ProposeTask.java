package dev.ron.mailbox.cluster.replica;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.mailbox.cluster.protocol.FactBatch;
import dev.ron.raft.RaftGroup;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Proposes what a reign's shards have decided, many facts in one entry.
 *
 * <p>Threading: steps from one thread at a time, which keeps the entries in order.
 */
public final class ProposeTask implements Task {
  private final Scope scope;
  private final Replica replica;
  private final Supplier<RaftGroup> group;

  public ProposeTask(Scope scope, Replica replica, Supplier<RaftGroup> group) {
    this.scope = scope;
    this.replica = replica;
    this.group = group;
  }

  @Override
  public Next run(Instant now) {
    Watch.Version<Optional<LeaderTerm>> seen = replica.reign().latest();
    LeaderTerm reign = seen.value().orElse(null);
    if (reign == null) {
      return Next.await(replica.reign().after(seen));
    }
    Watch.Version<Long> wanted = reign.wanted().latest();
    for (FactBatch entry = reign.take(); entry != null; entry = reign.take()) {
      propose(reign, entry);
    }
    return new Next.Await(
        List.of(reign.wanted().after(wanted), replica.reign().after(seen)), Instant.MAX);
  }

  private void propose(LeaderTerm reign, FactBatch entry) {
    try {
      var _ =
          group
              .get()
              .propose(entry.encode())
              .whenComplete((_, failed) -> settle(reign, entry, failed));
    } catch (IOException | RuntimeException failed) {
      settle(reign, entry, failed);
    }
  }

  /** One that was not taken leaves a gap, so no other of this reign will count. */
  private void settle(LeaderTerm reign, FactBatch entry, @Nullable Throwable failed) {
    if (failed == null) {
      reign.settled(entry);
    } else {
      scope.log().warn("proposal-failed", "group", replica.group(), "why", failed.toString());
      replica.abdicate(reign);
    }
  }
}
