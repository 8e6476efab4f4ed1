package dev.ron.simulator.engine;

/** A cluster, what its clients and its misfortunes may be, and what must hold. */
public interface Scenario {
  String name();

  /** The same for the same seed. */
  Plan plan(long seed);

  /**
   * Plays a plan to its end and looks at what is left.
   *
   * @throws Violation if something does not hold
   */
  void play(Plan plan, Simulation simulation) throws Exception;
}
