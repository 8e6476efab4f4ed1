package dev.ron.kernel.supervise;

/** When a task that has ended is started again. */
public enum Restart {
  /** Whatever it ended with; for loops that the service cannot do without. */
  ALWAYS("always"),
  /** Only if it threw; for work that has an end. */
  ON_FAILURE("on failure"),
  /** Not at all; a failure makes the service unready for good. */
  NEVER("never");

  private final String words;

  Restart(String words) {
    this.words = words;
  }

  /** As the documentation and the registry call it. */
  public String words() {
    return words;
  }
}
