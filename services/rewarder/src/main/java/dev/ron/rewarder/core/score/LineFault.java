package dev.ron.rewarder.core.score;

/**
 * Why a line of accounting stops the run.
 *
 * <p>Threading: immutable.
 *
 * @param line counted from 1 in what was scanned
 */
public record LineFault(long line, String reason) {
  /** The same fault in an input that has {@code lines} lines before what was scanned. */
  public LineFault after(long lines) {
    return new LineFault(Math.addExact(line, lines), reason);
  }
}
