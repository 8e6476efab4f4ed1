package dev.ron.rewarder.core;

/**
 * Why a run is not to be settled, ever.
 *
 * <p>Threading: immutable.
 */
public record Quarantine(Reason reason, String detail) {
  /** One code each, for the manifest and the metric. */
  public enum Reason {
    /** What was given, kept and held is not the pool. */
    CONSERVATION("conservation"),
    /** A line that the policy refuses. */
    BAD_LINE("bad-line"),
    /** An input that is not in its form; its address says that it never will be. */
    BAD_INPUT("bad-input"),
    /** Scores that are not below 2^127 together. */
    SCORE_OVERFLOW("score-overflow");

    private final String code;

    Reason(String code) {
      this.code = code;
    }

    public String code() {
      return code;
    }
  }
}
