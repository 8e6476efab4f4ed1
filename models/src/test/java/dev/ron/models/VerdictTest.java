package dev.ron.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The reading of TLC's output, where a mistake would let a model pass that was never checked. */
final class VerdictTest {

  private static final String COMPLETED = "Model checking completed. No error has been found.\n";
  private static final Config ONE = new Config("one", List.of("Bounded"), List.of("Ends"));
  private static final Config TWO = new Config("two", List.of(), List.of("Ends", "Begins"));

  @Test
  void aSearchThatWasCutShortIsNotComplete() {
    assertThat(holds("").searchedEverything()).isFalse();
    assertThat(holds("9 states generated, 7 distinct states found, 0 states left on queue."))
        .matches(v -> !v.searchedEverything());
    assertThat(
            holds(
                COMPLETED
                    + "9 states generated, 7 distinct states found, 10 states left on queue."))
        .matches(v -> !v.searchedEverything());
    assertThat(
            holds(
                COMPLETED + "9 states generated, 7 distinct states found, 0 states left on queue."))
        .matches(Verdict::searchedEverything);
  }

  @Test
  void aViolationIsNamedOnlyWhenItIsCertain() {
    assertThat(new Verdict(12, "Error: Invariant Bounded is violated.", ONE).violated())
        .contains("Bounded");
    assertThat(new Verdict(12, "Error: Action property Ends is violated.", TWO).violated())
        .contains("Ends");
    assertThat(new Verdict(13, "Error: Temporal properties were violated.", ONE).violated())
        .contains("Ends");
    assertThat(new Verdict(13, "Error: Temporal properties were violated.", TWO).violated())
        .isEmpty();
    assertThat(new Verdict(11, "Error: Deadlock reached.", ONE).violated()).isEmpty();
  }

  @Test
  void aStepThatNobodyTookIsFound() {
    var verdict =
        holds(
            """
            <Init line 45, col 1 to line 45, col 4 of module WorkQueue>: 1:1
            <Resting line 181, col 1 to line 181, col 7 of module WorkQueue>: 0:126
            <Sweep line 162, col 1 to line 162, col 5 of module WorkQueue>: 0:0
            """);
    assertThat(verdict.actions()).containsExactlyInAnyOrder("Init", "Resting", "Sweep");
    assertThat(verdict.actionsNeverTaken()).containsExactly("Sweep");
  }

  private static Verdict holds(String output) {
    return new Verdict(Verdict.HOLDS, output, ONE);
  }
}
