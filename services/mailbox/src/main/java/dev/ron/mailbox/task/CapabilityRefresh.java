package dev.ron.mailbox.task;

import dev.ron.capability.Revocations;
import dev.ron.capability.Verifier;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/**
 * Reads the revocations again while the mailbox runs, so that a withdrawn capability stops working
 * without a restart.
 *
 * <p>Revocations that cannot be read leave those that are known: forgetting one is worse.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class CapabilityRefresh implements Task {
  /** Well within the cache time of a capability, which is 30 s. */
  private static final Duration EVERY = Duration.ofSeconds(2);

  private final Scope scope;
  private final Verifier verifier;
  private final Source source;
  private int known = -1;

  /** Where the revocations are. */
  @FunctionalInterface
  public interface Source {
    Revocations read() throws IOException;
  }

  public CapabilityRefresh(Scope scope, Verifier verifier, Source source) {
    this.scope = scope;
    this.verifier = verifier;
    this.source = source;
  }

  @Override
  public Next run(Instant now) {
    try {
      Revocations fresh = source.read();
      // Revocations are only ever added, so their number tells whether there is a new one.
      if (fresh.size() != known) {
        verifier.trust(trust -> trust.withRevocations(fresh));
        known = fresh.size();
      }
    } catch (IOException unreadable) {
      scope.log().warn("revocations-unreadable", "why", String.valueOf(unreadable.getMessage()));
    }
    return Next.at(now.plus(EVERY));
  }
}
