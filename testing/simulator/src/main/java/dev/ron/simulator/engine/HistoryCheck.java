package dev.ron.simulator.engine;

import dev.ron.testkit.CallHistory.Operation;
import dev.ron.testkit.LinearizabilityCheck;
import dev.ron.testkit.LinearizabilityCheck.Verdict;
import dev.ron.testkit.SequentialModel;
import java.util.List;

/**
 * Demands of a history that it is one of a sequential object.
 *
 * <p>A search that is given up says nothing about the history. It is a violation too: a run that
 * was not decided would otherwise count as one that is well.
 *
 * <p>Threading: stateless.
 */
public final class HistoryCheck {
  /** What a history breaks that the search gave up. */
  public static final String DECIDED = "a history is decided";

  private static final long STEPS_MAX = 3_000_000;

  private HistoryCheck() {}

  /**
   * @param invariant what a history breaks that no sequential object has
   * @param object whose history it is; only told
   */
  public static <S, I, O> void demand(
      String invariant,
      Object object,
      SequentialModel<S, I, O> model,
      List<Operation<I, O>> history) {
    demand(invariant, object, model, history, STEPS_MAX);
  }

  static <S, I, O> void demand(
      String invariant,
      Object object,
      SequentialModel<S, I, O> model,
      List<Operation<I, O>> history,
      long stepsMax) {
    switch (LinearizabilityCheck.of(model, history, stepsMax)) {
      case Verdict.Linearizable<I, O> _ -> {}
      case Verdict.Violation<I, O> broken -> throw new Violation(invariant, object + ": " + broken);
      case Verdict.Undecided<I, O>(long steps) ->
          throw new Violation(
              DECIDED,
              "%s: %d operations, given up after %d steps"
                  .formatted(object, history.size(), steps));
    }
  }
}
