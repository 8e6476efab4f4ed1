package dev.ron.mailbox.cluster.replica;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.lock.RankedLock;
import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.journal.ReplicationMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * This machine's terms over a group, one after the other, and none while another machine leads.
 *
 * <p>Threading: thread-safe; a term begins and ends under the lock {@code terms-N}.
 */
final class LeaderTerms implements ReplicationMode {
  private static final int RANK = 890;
  private static final Duration HOLD = Duration.ofSeconds(30);

  /** Held while a term begins or ends. */
  private static final int CHANGE_RANK = 880;

  private final Scope scope;
  private final int group;
  private final RankedLock lock;
  private final RankedLock change;
  private final Watch<Optional<LeaderTerm>> now;
  private final AtomicLong changes = new AtomicLong();
  private volatile Instant heldUntil = Instant.MIN;

  LeaderTerms(Scope scope, int group) {
    this.scope = scope;
    this.group = group;
    this.lock = new RankedLock(scope.registry(), "term-" + group, RANK);
    this.change = new RankedLock(scope.registry(), "terms-" + group, CHANGE_RANK);
    this.now = Watch.of(scope, "terms-" + group, Optional.empty());
  }

  /** Empty when another machine leads. */
  Watch<Optional<LeaderTerm>> now() {
    return now;
  }

  @Override
  public boolean decides() {
    return now.value().isPresent();
  }

  @Override
  public long termChanges() {
    return changes.get();
  }

  @Override
  public boolean keeps(Fact fact) {
    return fact.shared();
  }

  @Override
  public List<Fact.Leased> leases(Shard shard) {
    return shard.leases();
  }

  /** A part of the state is on its way: no snapshot and no trim for a while. */
  void hold() {
    heldUntil = scope.time().now().plus(HOLD);
  }

  @Override
  public boolean held() {
    return scope.time().now().isBefore(heldUntil);
  }

  /**
   * @param position of the first fact that it will decide
   */
  void begin(long term, long position) {
    String name = "group %d, term %d".formatted(group, term);
    change.run(
        () -> {
          endNow();
          now.set(Optional.of(new LeaderTerm(scope, name, term, lock, position)));
        });
    scope.log().info("lead", "group", group, "term", term, "position", position);
  }

  void end() {
    change.run(this::endNow);
  }

  /** Ends a term that cannot go on, though this machine may still be Raft's leader. */
  void end(LeaderTerm leaderTerm) {
    change.run(
        () -> {
          if (now.value().filter(each -> each == leaderTerm).isPresent()) {
            endNow();
          }
        });
  }

  private void endNow() {
    changes.incrementAndGet();
    now.value()
        .ifPresent(
            leaderTerm -> {
              leaderTerm.end();
              now.set(Optional.empty());
              scope.log().info("follow", "group", group, "term", leaderTerm.term());
            });
  }
}
