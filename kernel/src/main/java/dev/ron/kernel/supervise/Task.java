package dev.ron.kernel.supervise;

import java.time.Instant;

/**
 * Background work, done in steps.
 *
 * <p>A step does one bounded piece of work and says when to be called again. It never sleeps and
 * never waits for a queue: it answers {@link Next#await} and its driver waits in its place. That is
 * why the same task runs on a thread in production and in virtual time in a test.
 *
 * <p>A task that throws is discarded, and its supervisor makes a new one.
 */
@FunctionalInterface
public interface Task {
  Next run(Instant now) throws Exception;

  /**
   * Called when the task ends: drained, nothing can come any more, or interrupted in a step because
   * the time of the drain was up. Work that makes data durable belongs here. If it is interrupted
   * itself, it is called once more.
   */
  default void finish(Instant now) throws Exception {}
}
