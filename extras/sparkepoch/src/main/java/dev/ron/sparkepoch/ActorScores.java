package dev.ron.sparkepoch;

import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.core.Wide;
import java.io.Serializable;
import java.util.stream.IntStream;

/**
 * An actor's scores, one for each pool, and its bad lines, on the way between machines.
 *
 * <p>A sum that is not below 2^127 fails the job: it cannot be told apart from a right one later.
 *
 * <p>Threading: immutable.
 *
 * @param halves for each pool the high half of its score, then the low one
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ActorScores(long[] halves, int badLines) implements Serializable {
  private static final long serialVersionUID = 1;

  static ActorScores at(ScoreCursor cursor, int pools) {
    return of(pools, cursor.badLines(), cursor::score);
  }

  private static ActorScores of(
      int pools, int badLines, java.util.function.IntFunction<Wide> scores) {
    long[] halves = new long[2 * pools];
    for (int pool = 0; pool < pools; pool++) {
      Wide score = scores.apply(pool);
      halves[2 * pool] = score.high();
      halves[2 * pool + 1] = score.low();
    }
    return new ActorScores(halves, badLines);
  }

  Wide score(int pool) {
    return new Wide(halves[2 * pool], halves[2 * pool + 1]);
  }

  ActorScores plus(ActorScores other) {
    return of(
        halves.length / 2, badLines | other.badLines, pool -> score(pool).plus(other.score(pool)));
  }

  @Override
  public String toString() {
    return IntStream.range(0, halves.length / 2).mapToObj(this::score).toList().toString();
  }
}
