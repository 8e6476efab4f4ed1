package dev.ron.rewarder.epoch;

import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import dev.ron.kernel.time.Time;
import dev.ron.rewarder.core.Inputs;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunKey;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A run on its way: how far it is, and the reply that ends it.
 *
 * <p>Threading: thread-safe; ended once.
 */
public final class PendingRun {
  private final Inputs inputs;
  private final String runKey;
  private final boolean dry;
  private final Reply<RunResult<Manifest>> reply;
  private final AtomicLong lines = new AtomicLong();
  private final Deadline deadline;
  private final Payer payer;
  private volatile String step = "queued";

  /**
   * @param deadline a run that has not ended by then is given up
   * @param payer of the request that began it; later ones get its result for nothing
   */
  public PendingRun(Inputs inputs, boolean dry, Time time, Deadline deadline, Payer payer) {
    this.payer = payer;
    this.deadline = deadline;
    this.inputs = inputs;
    this.runKey = RunKey.of(inputs).hex();
    this.dry = dry;
    this.reply = new Reply<>(time);
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

  Payer payer() {
    return payer;
  }

  Deadline deadline() {
    return deadline;
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

  public Reply<RunResult<Manifest>> reply() {
    return reply;
  }
}
