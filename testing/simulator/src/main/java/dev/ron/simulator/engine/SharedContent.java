package dev.ron.simulator.engine;

/**
 * What machines keep together, as far as their misfortunes have to know it.
 *
 * <p>Threading: owned by the scheduler's thread.
 */
public interface SharedContent {
  /** Whether a machine could be emptied and all that was promised would still be there. */
  boolean canSpare(String machine);

  /** A machine gets an empty disk. */
  void wipe(String machine);

  /** Whether a machine whose disk lost what it had flushed may start with the rest. */
  boolean bearsLoss();

  /** Whether every machine takes part and has caught up. */
  boolean isSettled();

  /** From now on nothing fails without a reason. */
  void calm();

  /** The machine takes the lead, where there is one. */
  void lead(String machine);
}
