package dev.ron.rewarder.core;

import java.util.Arrays;
import java.util.Optional;

/** The outcome of a run. */
public enum RunStatus {
  /** Computed, kept, to be settled. */
  CLOSED("closed"),
  /** Computed and kept for inspection, never settled. */
  DRY("dry-run"),
  /** Not to be settled, ever. */
  QUARANTINED("quarantined");

  private final String word;

  RunStatus(String word) {
    this.word = word;
  }

  /** As the manifest says it. */
  public String word() {
    return word;
  }

  public static Optional<RunStatus> of(String word) {
    return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
  }
}
