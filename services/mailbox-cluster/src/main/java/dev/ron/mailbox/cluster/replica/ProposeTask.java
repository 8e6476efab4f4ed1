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
 * Proposes what a term's shards have decided, many facts in one entry.
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
    Watch.Version<Optional<LeaderTerm>> seen = replica.leaderTerm().latest();
    LeaderTerm leaderTerm = seen.value().orElse(null);
    if (leaderTerm == null) {
      return Next.await(replica.leaderTerm().after(seen));
    }
    Watch.Version<Long> wanted = leaderTerm.wanted().latest();
    for (FactBatch entry = leaderTerm.take(); entry != null; entry = leaderTerm.take()) {
      propose(leaderTerm, entry);
    }
    return new Next.Await(
        List.of(leaderTerm.wanted().after(wanted), replica.leaderTerm().after(seen)), Instant.MAX);
  }

  private void propose(LeaderTerm leaderTerm, FactBatch entry) {
    try {
      var _ =
          group
              .get()
              .propose(entry.encode())
              .whenComplete((_, failed) -> settle(leaderTerm, entry, failed));
    } catch (IOException | RuntimeException failed) {
      settle(leaderTerm, entry, failed);
    }
  }

  /** One that was not taken leaves a gap, so no other of this term will count. */
  private void settle(LeaderTerm leaderTerm, FactBatch entry, @Nullable Throwable failed) {
    if (failed == null) {
      leaderTerm.settled(entry);
    } else {
      scope.log().warn("proposal-failed", "group", replica.group(), "why", failed.toString());
      replica.endTerm(leaderTerm);
    }
  }
}
