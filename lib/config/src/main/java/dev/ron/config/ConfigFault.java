package dev.ron.config;

import dev.ron.config.source.ConfigProblem;
import java.util.List;

/**
 * The configuration cannot be started with. The message lists every problem, one a line, because an
 * operator who must fix ten things should not have to start ten times.
 */
public final class ConfigFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Enough to see what is going on; a file of noise must not print a screen for each of its lines.
   */
  static final int PROBLEMS_SHOWN_MAX = 100;

  private final transient List<ConfigProblem> problems;

  ConfigFault(List<ConfigProblem> problems) {
    super(message(problems));
    this.problems = List.copyOf(problems);
  }

  /** All of them, also those that the message only counts. */
  public List<ConfigProblem> problems() {
    return problems;
  }

  private static String message(List<ConfigProblem> problems) {
    var text = new StringBuilder("the configuration has ");
    text.append(problems.size()).append(problems.size() == 1 ? " problem:" : " problems:");
    problems.stream()
        .limit(PROBLEMS_SHOWN_MAX)
        .forEach(problem -> text.append("\n  ").append(problem));
    if (problems.size() > PROBLEMS_SHOWN_MAX) {
      text.append("\n  and ").append(problems.size() - PROBLEMS_SHOWN_MAX).append(" more");
    }
    return text.toString();
  }
}
