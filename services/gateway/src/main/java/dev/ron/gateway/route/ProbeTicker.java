package dev.ron.gateway.route;

import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.time.Duration;
import java.time.Instant;

/**
 * Wakes the prober once a second.
 *
 * <p>Threading: owned by its task.
 */
public final class ProbeTicker implements Task {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final Channel<Instant> ticks;

  public ProbeTicker(Channel<Instant> ticks) {
    this.ticks = ticks;
  }

  @Override
  public Next run(Instant now) {
    var _ = ticks.trySend(now); // a prober that is behind by 64 ticks needs no 65th
    return Next.at(now.plus(PERIOD));
  }
}
