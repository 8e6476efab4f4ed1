package dev.ron.rewarder.score;

import dev.ron.rewarder.core.score.LineFault;
import dev.ron.rewarder.core.score.Tally;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A part of an accounting input that one worker adds up by itself.
 *
 * <p>Threading: counted by one worker.
 */
interface AccountingPiece {
  /**
   * Adds its lines to the tally.
   *
   * @return the first wrong line, counted from 1 in this piece, or null
   */
  @Nullable LineFault count(Tally tally) throws IOException;
}
