package dev.ron.usage;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A span and its seal as the folder has them, compared with each other. What is damaged is absent
 * here and named in {@code damage}.
 *
 * <p>Threading: immutable.
 */
public record CheckedSpan(
    long number, Optional<UsageSpan> span, Optional<Seal> seal, List<UsageDamage> damage) {
  public CheckedSpan {
    damage = List.copyOf(damage);
  }

  /** When it began, if its file or its seal tells. */
  public Optional<Instant> from() {
    return span.map(UsageSpan::from).or(() -> seal.map(Seal::from));
  }

  /** When it ended, if its file or its seal tells. */
  public Optional<Instant> to() {
    return span.map(UsageSpan::to).or(() -> seal.map(Seal::to));
  }
}
