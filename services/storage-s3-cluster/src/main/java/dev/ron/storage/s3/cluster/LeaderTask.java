package dev.ron.storage.s3.cluster;

import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.s3.names.Names;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/**
 * Work that one machine does for all, on the machine that leads; elsewhere it waits.
 *
 * <p>For a moment two machines may both believe to lead. That costs work done twice: what it leads
 * to is decided in the order of the log.
 *
 * <p>Threading: steps from one thread at a time.
 */
record LeaderTask(Task work, BooleanSupplier leads, Names names) implements Task {
  private static final Duration LOOK = Duration.ofSeconds(1);

  @Override
  public Next run(Instant now) throws Exception {
    return leads.getAsBoolean() ? names.fresh(() -> work.run(now)) : Next.at(now.plus(LOOK));
  }

  @Override
  public void finish(Instant now) throws Exception {
    work.finish(now);
  }
}
