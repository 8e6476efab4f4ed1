package dev.ron.simulator.engine;

/** An invariant that does not hold; its name stays the same while a plan is shrunk. */
public final class Violation extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final String invariant;

  public Violation(String invariant, String detail) {
    super(invariant + ": " + detail);
    this.invariant = invariant;
  }

  public Violation(String invariant, Throwable cause) {
    super(invariant + ": " + cause, cause);
    this.invariant = invariant;
  }

  public String invariant() {
    return invariant;
  }
}
