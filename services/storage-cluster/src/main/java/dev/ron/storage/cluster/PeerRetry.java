package dev.ron.storage.cluster;

import dev.ron.config.Section;
import dev.ron.kernel.Scope;
import dev.ron.kernel.retry.Backoff;
import dev.ron.kernel.retry.Retry;
import java.time.Duration;

/**
 * How questions to another node are repeated, which all may be asked twice: the table {@code
 * cluster.retry}.
 *
 * <p>Threading: immutable.
 *
 * @param base the least rest before the second try, the most is twice that; each further one
 *     doubles
 * @param max no rest is longer
 * @param tries in all, with the first
 */
public record PeerRetry(Duration base, Duration max, int tries) {
  public PeerRetry {
    if (max.compareTo(base.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "cluster.retry.max = %s is less than twice cluster.retry.base = %s".formatted(max, base));
    }
  }

  static PeerRetry read(Section section) {
    return new PeerRetry(
        section
            .key("base", "50ms")
            .doc("The least rest before a node is asked again; up to twice that by chance.")
            .duration("1ms", "10s"),
        section.key("max", "2s").doc("No rest is longer than this.").duration("1ms", "1m"),
        section
            .key("tries", 3)
            .doc("How often a node is asked before it counts as silent.")
            .integer(1, 10));
  }

  Retry in(Scope scope) {
    return Retry.idempotent(
        scope, "peer", tries, new Backoff.Scaled(base, base.multipliedBy(2), max));
  }
}
