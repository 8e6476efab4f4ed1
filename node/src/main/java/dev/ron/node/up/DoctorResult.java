package dev.ron.node.up;

/**
 * One thing that was looked at.
 *
 * @param seen with the figure that was found
 * @param advice what to do, empty where there is nothing to do
 */
record DoctorResult(String what, Grade grade, String seen, String advice) {
  /** The verdict. */
  enum Grade {
    GOOD,
    /** It will run, not as well as it could. */
    FAIR,
    /** It will not start, or cannot keep its promises. */
    BAD
  }

  static DoctorResult good(String what, String seen) {
    return new DoctorResult(what, Grade.GOOD, seen, "");
  }

  static DoctorResult fair(String what, String seen, String advice) {
    return new DoctorResult(what, Grade.FAIR, seen, advice);
  }

  static DoctorResult bad(String what, String seen, String advice) {
    return new DoctorResult(what, Grade.BAD, seen, advice);
  }
}
