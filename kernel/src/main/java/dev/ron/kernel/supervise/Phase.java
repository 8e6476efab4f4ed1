package dev.ron.kernel.supervise;

/** Where a tree is in its life; visible at {@code /readyz}. */
public enum Phase {
  STARTING,
  RUNNING,
  /** Intake has stopped; what was taken is being finished. */
  DRAINING,
  /** A task needs longer than it may; it is interrupted and counted. */
  ABORTING,
  STOPPED
}
