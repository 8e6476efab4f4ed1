package dev.ron.node;

/**
 * One thing that was looked at.
 *
 * @param seen with the figure that was found
 * @param advice what to do, empty where there is nothing to do
 */
record Finding(String what, Grade grade, String seen, String advice) {
  /** How it stands. */
  enum Grade {
    GOOD,
    /** It will run, not as well as it could. */
    FAIR,
    /** It will not start, or will lose what it promised. */
    BAD
  }

  static Finding good(String what, String seen) {
    return new Finding(what, Grade.GOOD, seen, "");
  }

  static Finding fair(String what, String seen, String advice) {
    return new Finding(what, Grade.FAIR, seen, advice);
  }

  static Finding bad(String what, String seen, String advice) {
    return new Finding(what, Grade.BAD, seen, advice);
  }
}
