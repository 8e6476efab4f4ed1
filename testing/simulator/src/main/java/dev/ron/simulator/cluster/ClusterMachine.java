package dev.ron.simulator.cluster;

import dev.ron.simulator.engine.Machine;
import org.jspecify.annotations.Nullable;

/**
 * A machine with a service that keeps a log together with others.
 *
 * <p>Threading: owned by the scheduler's thread.
 */
public interface ClusterMachine {
  Machine machine();

  /** Takes calls of clients. */
  boolean isRunning();

  /** The power goes on. */
  void start();

  /** Ends as after SIGTERM, if it is up; the process is gone when it has. */
  void drain();

  /** Why its last start failed. */
  @Nullable Throwable failed();

  /** How far its start is, for a report. */
  String progress();
}
