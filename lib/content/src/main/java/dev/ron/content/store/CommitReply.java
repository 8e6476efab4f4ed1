package dev.ron.content.store;

import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.kernel.time.Time;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An answer that somebody waits for; the first one counts.
 *
 * <p>Threading: thread-safe; the gate publishes the value.
 */
final class CommitReply<T> {
  private final Gate gate;
  private final AtomicReference<@Nullable T> value = new AtomicReference<>();

  CommitReply(Time time) {
    this.gate = new Gate(time);
  }

  /** False if there was an answer before. */
  boolean answer(T answer) {
    boolean first = value.compareAndSet(null, answer);
    gate.open();
    return first;
  }

  /** The answer, or null if the deadline passed before. */
  @Nullable T await(Deadline deadline) throws InterruptedException {
    return gate.await(deadline) ? value.get() : null;
  }
}
