package dev.ron.simulator.engine;

/**
 * One run of a machine, from its power going on to its power going out.
 *
 * <p>Threading: owned by the scheduler's thread.
 */
public final class Boot {
  /** What belongs to no machine: clients, the network, the clock. */
  public static final Boot OUTSIDE = new Boot("outside");

  private final String machine;
  private boolean over;
  private boolean paused;

  public Boot(String machine) {
    this.machine = machine;
  }

  public String machine() {
    return machine;
  }

  /** Its threads never run again, wherever they are. */
  public void end() {
    over = true;
  }

  public boolean isOver() {
    return over;
  }

  /** Its threads rest, as in a long collection of garbage or a stopped virtual machine. */
  void pause(boolean on) {
    paused = on;
  }

  boolean isPaused() {
    return paused;
  }
}
