package dev.ron.storage.object;

import dev.ron.kernel.metric.ByteSeconds;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.time.Duration;
import java.time.Instant;

/**
 * Charges tenants for what they keep, every second and at the end.
 *
 * <p>Threading: steps from one thread at a time.
 */
public record ByteSecondsTask(ByteSeconds kept) implements Task {
  private static final Duration EVERY = Duration.ofSeconds(1);

  @Override
  public Next run(Instant now) {
    kept.settle(now);
    return Next.at(now.plus(EVERY));
  }

  @Override
  public void finish(Instant now) {
    kept.settle(now);
  }
}
