package dev.ron.rewarder.core.payout;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How far each run is settled: the outbox's cursor.
 *
 * <p>The intents themselves are the run's allocations, which never change; so the outbox needs to
 * remember only the line before which the ledger has them all.
 *
 * <p>Threading: guarded by the lock {@code outbox} of {@code Outbox}, which lets it out to no
 * other.
 */
public final class Settlements {
  private final Map<String, Progress> runs = new TreeMap<>();

  /**
   * One run's place.
   *
   * @param next every line before this one was accepted
   * @param lines of the run
   */
  public record Progress(String runKey, long next, long lines) {
    public Progress {
      if (next < 1 || lines < 0 || next > lines + 1) {
        throw new IllegalArgumentException("line " + next + " of " + lines);
      }
    }

    public boolean done() {
      return next > lines;
    }
  }

  /** A later position of a run replaces an earlier one; it never goes back. */
  public void apply(Progress progress) {
    Progress before = runs.get(progress.runKey());
    if (before != null && before.next() > progress.next()) {
      throw new IllegalStateException("the outbox goes back for " + progress.runKey());
    }
    runs.put(progress.runKey(), progress);
  }

  public Optional<Progress> of(String runKey) {
    return Optional.ofNullable(runs.get(runKey));
  }

  public java.util.List<Progress> all() {
    return java.util.List.copyOf(runs.values());
  }
}
