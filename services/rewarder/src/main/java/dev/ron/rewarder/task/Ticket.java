package dev.ron.rewarder.task;

import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.kernel.time.Time;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.core.Inputs;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunKey;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A run on its way: who wants to know waits here.
 *
 * <p>Threading: thread-safe; ended once.
 */
public final class Ticket {
  private final Inputs inputs;
  private final String runKey;
  private final boolean dry;
  private final Gate ended;
  private final AtomicLong lines = new AtomicLong();
  private volatile String step = "queued";
  private volatile @Nullable Manifest manifest;
  private volatile @Nullable RewarderFault fault;

  public Ticket(Inputs inputs, boolean dry, Time time) {
    this.inputs = inputs;
    this.runKey = RunKey.of(inputs).hex();
    this.dry = dry;
    this.ended = new Gate(time);
  }

  public Inputs inputs() {
    return inputs;
  }

  public String runKey() {
    return runKey;
  }

  public boolean dry() {
    return dry;
  }

  /** Lines read so far. */
  public AtomicLong lines() {
    return lines;
  }

  public String step() {
    return step;
  }

  void step(String now) {
    step = now;
  }

  void done(Manifest result) {
    manifest = result;
    ended.open();
  }

  void failed(RewarderFault why) {
    fault = why;
    ended.open();
  }

  /** True if it ended before the deadline. */
  public boolean await(Deadline deadline) throws InterruptedException {
    return ended.await(deadline);
  }

  public Optional<Manifest> manifest() {
    return Optional.ofNullable(manifest);
  }

  public Optional<RewarderFault> fault() {
    return Optional.ofNullable(fault);
  }
}
