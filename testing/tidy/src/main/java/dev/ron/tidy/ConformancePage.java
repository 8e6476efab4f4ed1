package dev.ron.tidy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The statements of the seeds as a page: how many are shown, decided otherwise or open, and each
 * with what implements it and what shows it.
 *
 * <p>Threading: immutable.
 */
public record ConformancePage(Map<String, List<Line>> seeds) {

  /** How a statement stands. */
  public enum State {
    SHOWN,
    DECIDED,
    OPEN
  }

  /**
   * One line of the page.
   *
   * @param cells of the table, as Markdown
   */
  public record Line(State state, List<String> cells) {}

  /** The page of a project. */
  public static ConformancePage of(SourceTree tree) {
    var shown = SeedTests.in(tree).shown();
    var seeds = new LinkedHashMap<String, List<Line>>();
    for (SeedStatement statement : SeedStatement.in(tree)) {
      seeds
          .computeIfAbsent(statement.seed(), seed -> new ArrayList<>())
          .add(line(tree, statement, Conformance.tests(tree, statement, shown)));
    }
    return new ConformancePage(seeds);
  }

  private static Line line(SourceTree tree, SeedStatement statement, List<SeedTests.Shown> tests) {
    State state = statement.has("adr") ? State.DECIDED : tests.isEmpty() ? State.OPEN : State.SHOWN;
    String code =
        statement.all("code").stream()
            .map(name -> "[%s](../%s)".formatted(name, Conformance.code(tree, name).orElse(name)))
            .collect(Collectors.joining(", "));
    var shows = new ArrayList<String>();
    statement.all("adr").stream()
        .map(n -> "[ADR %s](../%s)".formatted(n, Conformance.adr(tree, n).orElse(n)))
        .forEach(shows::add);
    tests.stream()
        .map(t -> "[%s](../%s)%s".formatted(t.test(), t.file().path(), t.isLong() ? " (long)" : ""))
        .sorted()
        .forEach(shows::add);
    statement.all("open").stream().map(why -> "**open**: " + why).forEach(shows::add);
    return new Line(
        state,
        List.of(
            statement.id(), statement.section(), statement.text(), code, String.join(", ", shows)));
  }

  /** One line for each seed, for a terminal. */
  public String counts() {
    var out = new StringBuilder();
    seeds.forEach(
        (seed, lines) ->
            out.append(
                "%-10s %4d statements: %4d shown, %3d by ADR, %3d open%n"
                    .formatted(
                        seed,
                        lines.size(),
                        count(lines, State.SHOWN),
                        count(lines, State.DECIDED),
                        count(lines, State.OPEN))));
    return out.toString();
  }

  /** The page as Markdown. */
  public String markdown() {
    var out =
        new StringBuilder(
            """
            # The seeds, statement by statement

            Each service began as a description of its concurrency. What it asks for is in `docs/conformance`, in our
            words; tests name what they show by `@SeedRow`. Written by `ConformanceTest`, which fails when a statement has
            neither a test nor a decision and does not say that it is open; `-Dron.golden=write` writes the page anew.

            | seed | statements | shown by tests | changed by a decision | open |
            |---|---:|---:|---:|---:|
            """);
    seeds.forEach(
        (seed, lines) ->
            out.append(
                "| [%s](#%s) | %d | %d | %d | %d |\n"
                    .formatted(
                        seed,
                        seed,
                        lines.size(),
                        count(lines, State.SHOWN),
                        count(lines, State.DECIDED),
                        count(lines, State.OPEN))));
    seeds.forEach(
        (seed, lines) -> {
          out.append("\n## ")
              .append(seed)
              .append("\n\n| id | section | statement | code | shown by |\n");
          out.append("|---|---|---|---|---|\n");
          lines.forEach(l -> out.append("| ").append(String.join(" | ", l.cells())).append(" |\n"));
        });
    return out.toString();
  }

  private static long count(List<Line> lines, State state) {
    return lines.stream().filter(line -> line.state() == state).count();
  }
}
