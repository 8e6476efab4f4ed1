package dev.ron.rewarder.task;

/** Told each step of a run as it is done, so that a test can end the process between any two. */
@FunctionalInterface
public interface Steps {
  Steps IGNORED = _ -> {};

  void did(String step);
}
