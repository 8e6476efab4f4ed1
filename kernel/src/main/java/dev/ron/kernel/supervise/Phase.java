package dev.ron.kernel.supervise;

/** Where a tree is in its life; visible at {@code /readyz}. */
public enum Phase {
  STARTING,
  RUNNING,
  /** Intake has stopped; what was taken is being finished. */
  DRAINING,
  /** The drain's time is up; stragglers are interrupted and counted. */
  ABORTING,
  STOPPED
}
