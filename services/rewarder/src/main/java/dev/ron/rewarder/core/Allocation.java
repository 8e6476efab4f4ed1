package dev.ron.rewarder.core;

import java.util.List;

/**
 * One line of a run.
 *
 * <p>Threading: immutable.
 *
 * @param line counted from 1; 0 for a held actor, who has none
 * @param badLines why the actor is held, as a set of bits; 0 if it is not
 * @param scores in each pool
 */
public record Allocation(long line, String actor, Wide amount, int badLines, List<Wide> scores) {
  public Allocation {
    scores = List.copyOf(scores);
  }

  public Wide score() {
    Wide sum = Wide.ZERO;
    for (Wide each : scores) {
      sum = sum.plus(each);
    }
    return sum;
  }
}
