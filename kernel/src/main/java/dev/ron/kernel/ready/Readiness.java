package dev.ron.kernel.ready;

import dev.ron.kernel.metric.Metrics;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/**
 * The named conditions under which a service wants traffic.
 *
 * <p>A condition is missing from the moment it is named until its owner says it is met, so that a
 * forgotten one keeps the service out of rotation instead of letting it lie. {@code GET /readyz}
 * shows every missing condition with its reason, and {@code readyz_degraded{cause}} is 1 for each.
 *
 * <p>Threading: thread-safe; each condition is written by its owner, read by any thread.
 */
public final class Readiness {
  private static final String MET = "";

  private final ConcurrentSkipListMap<String, Supplier<String>> reasons =
      new ConcurrentSkipListMap<>();

  private final ConcurrentSkipListMap<String, Supplier<Optional<String>>> notes =
      new ConcurrentSkipListMap<>();

  public Readiness(Metrics metrics) {
    metrics.sampled(
        "readyz_degraded",
        "1 for each condition that keeps the service from being ready.",
        sample ->
            reasons.forEach((name, reason) -> sample.call(reason.get().equals(MET) ? 0 : 1, name)),
        "cause");
  }

  /** Names a condition; it is missing until {@link Condition#met()}. */
  public Condition condition(String name) {
    add(name, () -> "not reached yet");
    return new Condition(name);
  }

  /** Names a condition that is worked out at each request for it; empty means that it is met. */
  public void derived(String name, Supplier<Optional<String>> reason) {
    add(name, () -> reason.get().orElse(MET));
  }

  private void add(String name, Supplier<String> reason) {
    if (reasons.putIfAbsent(name, reason) != null) {
      throw new IllegalArgumentException("two readiness conditions named " + name);
    }
  }

  /**
   * Something that {@code /readyz} shows although the service is ready, such as a weaker promise.
   */
  public void note(String name, String words) {
    noted(name, () -> Optional.of(words));
  }

  /** A note that is worked out at each request for it; empty while there is nothing to say. */
  public void noted(String name, Supplier<Optional<String>> words) {
    notes.put(name, words);
  }

  /** All notes, in order of their names. */
  public Map<String, String> notes() {
    var all = new TreeMap<String, String>();
    notes.forEach((name, words) -> words.get().ifPresent(said -> all.put(name, said)));
    return all;
  }

  public boolean ready() {
    return missing().isEmpty();
  }

  /** Each missing condition with its reason, in order of their names. */
  public Map<String, String> missing() {
    var missing = new TreeMap<String, String>();
    reasons.forEach((name, reason) -> missing.put(name, reason.get()));
    missing.values().removeIf(MET::equals);
    return missing;
  }

  /** One condition, held by the part of the service that knows whether it is met. */
  public final class Condition {
    private final String name;

    private Condition(String name) {
      this.name = name;
    }

    public void met() {
      reasons.put(name, () -> MET);
    }

    /** Not met, for a reason in words that an operator can act on. */
    public void missing(String reason) {
      if (reason.isBlank()) {
        throw new IllegalArgumentException("a missing condition needs a reason: " + name);
      }
      reasons.put(name, () -> reason);
    }
  }
}
