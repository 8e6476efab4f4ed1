package dev.ron.models;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What TLC found: its exit code, and from its output the property it blames and the steps it saw.
 *
 * <p>Threading: immutable.
 */
record Verdict(int exit, String output, Config config) {

  static final int HOLDS = 0;
  static final int SAFETY_VIOLATED = 12;
  static final int LIVENESS_VIOLATED = 13;

  private static final Pattern SAFETY =
      Pattern.compile(
          "^Error: (?:Invariant|Action property) (\\w+) is violated", Pattern.MULTILINE);
  private static final Pattern EVERYTHING =
      Pattern.compile(
          "^\\d+ states generated, \\d+ distinct states found, 0 states left on queue\\.$",
          Pattern.MULTILINE);
  // With -coverage: name, place, then new states and all states the action led to.
  private static final Pattern ACTION =
      Pattern.compile("^<(\\w+) line [^>]*>: \\d+:(\\d+)$", Pattern.MULTILINE);

  /**
   * A search cut short by its time limit also exits with 0 and finds no error; it leaves a queue.
   */
  boolean searchedEverything() {
    return output.contains("Model checking completed. No error has been found.")
        && EVERYTHING.matcher(output).find();
  }

  /**
   * The property that does not hold. TLC names an invariant but not a temporal property; a config
   * that expects a liveness violation therefore lists exactly one, and that one is meant.
   */
  Optional<String> violated() {
    if (exit == LIVENESS_VIOLATED && config.temporal().size() == 1) {
      return Optional.of(config.temporal().getFirst());
    }
    var named = SAFETY.matcher(output);
    return named.find() ? Optional.of(named.group(1)) : Optional.empty();
  }

  /** The steps of the model, whether or not any behaviour took them. */
  Set<String> actions() {
    return ACTION.matcher(output).results().map(r -> r.group(1)).collect(Collectors.toSet());
  }

  /** Steps no behaviour ever took: a property proved without them may be proved of nothing. */
  Set<String> actionsNeverTaken() {
    var never = new HashSet<>(actions());
    ACTION
        .matcher(output)
        .results()
        .filter(r -> !r.group(2).equals("0"))
        .forEach(r -> never.remove(r.group(1)));
    return never;
  }
}
