package dev.ron.storage.core;

/**
 * How many bytes a second repair may move, which is less while there are readers.
 *
 * <p>Without readers it is everything, soon. With them repair begins at a sixteenth, adds a 256th
 * for each step of time in which no reader feels it, and halves when one does: a p99 is spoilt by
 * one read in a hundred, so what is tried out has to be little more than what was good. It never
 * falls below the sixteenth, which is why repair always ends.
 *
 * <p>Threading: immutable; each step answers the next.
 */
public record RepairBudget(long fullBytesPerSecond, long bytesPerSecond) {
  private static final int SHARE_MIN = 16;
  private static final int GROWTH = 256;

  public RepairBudget {
    if (fullBytesPerSecond < 1 || bytesPerSecond < 1 || bytesPerSecond > fullBytesPerSecond) {
      throw new IllegalArgumentException(
          "repair at %d of %d bytes a second".formatted(bytesPerSecond, fullBytesPerSecond));
    }
  }

  public static RepairBudget full(long bytesPerSecond) {
    return new RepairBudget(bytesPerSecond, bytesPerSecond);
  }

  /** As little as it ever is. */
  public RepairBudget least() {
    return at(Math.max(1, fullBytesPerSecond / SHARE_MIN));
  }

  /**
   * After a step of time.
   *
   * @param moved whether repair moved anything in it
   */
  public RepairBudget next(ReadTimes.Felt felt, boolean moved) {
    return switch (felt) {
      case IDLE -> at(Math.min(bytesPerSecond, fullBytesPerSecond / 2 + 1) * 2);
      case UNKNOWN -> least();
      // A rate that nothing was moved at was felt by no reader: that says nothing for it.
      case EASE -> moved ? at(bytesPerSecond + fullBytesPerSecond / GROWTH + 1) : least();
      case TROUBLE -> at(bytesPerSecond / 2);
    };
  }

  /** What is left of the full rate, above 0 and up to 1. */
  public double share() {
    return (double) bytesPerSecond / fullBytesPerSecond;
  }

  private RepairBudget at(long rate) {
    long least = Math.max(1, fullBytesPerSecond / SHARE_MIN);
    return new RepairBudget(fullBytesPerSecond, Math.clamp(rate, least, fullBytesPerSecond));
  }
}
