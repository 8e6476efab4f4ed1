package dev.ron.rewarder.input;

import dev.ron.rewarder.core.score.LineFault;
import dev.ron.rewarder.core.score.Tally;
import org.jspecify.annotations.Nullable;

/** Reads whole lines of accounting out of a block of bytes and adds them to a tally. */
public interface LineScanner {
  /**
   * When it answers, the tally has the lines; nothing refers to the buffer any more.
   *
   * @param buffer from {@code from} to {@code to} whole lines, the last one maybe without its end
   * @param tally gets each line up to the first wrong one
   * @return the first wrong line, counted from 1 in this block, or null
   */
  @Nullable LineFault scan(byte[] buffer, int from, int to, Tally tally);
}
