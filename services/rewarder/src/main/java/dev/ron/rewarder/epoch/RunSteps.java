package dev.ron.rewarder.epoch;

/**
 * Observes each step of a run as it is done, so that a test can end the process between any two.
 */
@FunctionalInterface
public interface RunSteps {
  RunSteps IGNORED = _ -> {};

  void did(String step);
}
