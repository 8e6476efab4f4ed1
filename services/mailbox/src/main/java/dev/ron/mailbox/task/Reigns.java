package dev.ron.mailbox.task;

import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.lock.RankedLock;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * This machine's reigns over a group, one after the other, and none while another machine leads.
 *
 * <p>Threading: thread-safe; a reign begins and ends under the lock {@code reigns-N}.
 */
final class Reigns {
  private static final int RANK = 890;

  /** Held while a reign begins or ends. */
  private static final int CHANGE_RANK = 880;

  private final Scope scope;
  private final int group;
  private final RankedLock lock;
  private final RankedLock change;
  private final Watch<Optional<Reign>> now;
  private final AtomicLong changes = new AtomicLong();

  Reigns(Scope scope, int group) {
    this.scope = scope;
    this.group = group;
    this.lock = new RankedLock(scope.registry(), "reign-" + group, RANK);
    this.change = new RankedLock(scope.registry(), "reigns-" + group, CHANGE_RANK);
    this.now = Watch.of(scope, "reigns-" + group, Optional.empty());
  }

  /** Empty when another machine leads. */
  Watch<Optional<Reign>> now() {
    return now;
  }

  /** How often that changed; see {@code Standing}. */
  long changes() {
    return changes.get();
  }

  /**
   * @param position of the first fact that it will decide
   */
  void begin(long term, long position) {
    String name = "group %d, term %d".formatted(group, term);
    change.run(
        () -> {
          endNow();
          now.set(Optional.of(new Reign(scope, name, term, lock, position)));
        });
    scope.log().info("lead", "group", group, "term", term, "position", position);
  }

  void end() {
    change.run(this::endNow);
  }

  /** Ends a reign that cannot go on, though this machine may still be Raft's leader. */
  void end(Reign reign) {
    change.run(
        () -> {
          if (now.value().filter(each -> each == reign).isPresent()) {
            endNow();
          }
        });
  }

  private void endNow() {
    changes.incrementAndGet();
    now.value()
        .ifPresent(
            reign -> {
              reign.end();
              now.set(Optional.empty());
              scope.log().info("follow", "group", group, "term", reign.term());
            });
  }
}
