package dev.ron.rewarder.task;

import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.kernel.time.Time;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.core.Inputs;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A wish for a run, and where the one who has it waits for the scheduler's decision.
 *
 * <p>Threading: thread-safe; answered once.
 */
public final class Wish {
  private final Inputs inputs;
  private final boolean dry;
  private final Gate answered;
  private volatile Runs.@Nullable Asked asked;
  private volatile @Nullable RewarderFault fault;

  public Wish(Inputs inputs, boolean dry, Time time) {
    this.inputs = inputs;
    this.dry = dry;
    this.answered = new Gate(time);
  }

  Inputs inputs() {
    return inputs;
  }

  boolean dry() {
    return dry;
  }

  void answer(Runs.Asked decision) {
    asked = decision;
    answered.open();
  }

  void refuse(RewarderFault why) {
    fault = why;
    answered.open();
  }

  /** Nothing if the deadline passed first, or if there is a fault. */
  public Optional<Runs.Asked> await(Deadline deadline) throws InterruptedException {
    return answered.await(deadline) ? Optional.ofNullable(asked) : Optional.empty();
  }

  public Optional<RewarderFault> fault() {
    return Optional.ofNullable(fault);
  }
}
