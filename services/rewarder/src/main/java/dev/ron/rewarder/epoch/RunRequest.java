package dev.ron.rewarder.epoch;

import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.time.Reply;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.core.Inputs;

/**
 * A request for a run, which waits for the scheduler's decision.
 *
 * <p>Threading: immutable; payer and reply are thread-safe.
 */
public record RunRequest(
    Inputs inputs, boolean dry, Payer payer, Reply<RunResult<Runs.RunReply>> reply) {
  public void refuse(RewarderFault why) {
    reply.answer(new RunResult.Failed<>(why));
  }
}
