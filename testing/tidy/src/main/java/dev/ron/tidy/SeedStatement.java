package dev.ron.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One thing that a seed asks for, as a line of {@code docs/conformance} says it: {@code id |
 * section | statement | facts}.
 *
 * <p>Facts are separated by semicolons, each a word and its value:
 *
 * <ul>
 *   <li>{@code code Type} or a path: what implements it;
 *   <li>{@code test Class#method}: for tests that cannot have the annotation {@code SeedRow};
 *   <li>{@code task}, {@code channel}, {@code lock}, {@code metric}: cells of a row of the
 *       service's page in {@code docs/concurrency}, which is written from its registry;
 *   <li>{@code key name default}: a row of {@code docs/configuration.md};
 *   <li>{@code adr 0016}: the decision that changes it;
 *   <li>{@code open words}: what is missing.
 * </ul>
 *
 * <p>Threading: immutable.
 */
record SeedStatement(
    String path, int line, String id, String section, String text, List<Fact> facts) {

  /** What is said about a statement. */
  record Fact(String word, String value) {}

  static final String FOLDER = "docs/conformance/";

  /** All statements, seed by seed. */
  static List<SeedStatement> in(SourceTree tree) {
    return tree.files().stream()
        .filter(file -> file.path().startsWith(FOLDER) && file.path().endsWith(".txt"))
        .flatMap(file -> parse(file).stream())
        .toList();
  }

  private static List<SeedStatement> parse(SourceFile file) {
    var found = new ArrayList<SeedStatement>();
    int line = 0;
    for (String row : file.text().lines().toList()) {
      line++;
      if (!row.isBlank() && !row.startsWith("#")) {
        String[] cells = row.split("\\s*\\|\\s*", -1);
        found.add(
            new SeedStatement(
                file.path(),
                line,
                cells[0].strip(),
                cells.length > 1 ? cells[1] : "",
                cells.length > 2 ? cells[2] : "",
                cells.length == 4 ? facts(cells[3]) : List.of()));
      }
    }
    return found;
  }

  private static List<Fact> facts(String cell) {
    return Stream.of(cell.split(";", -1))
        .map(String::strip)
        .filter(fact -> !fact.isEmpty())
        .map(fact -> (fact + " ").split(" ", 2))
        .map(parts -> new Fact(parts[0], parts[1].strip()))
        .toList();
  }

  /** The service whose seed it is. */
  String seed() {
    return path.substring(FOLDER.length(), path.length() - ".txt".length());
  }

  List<String> all(String word) {
    return facts.stream().filter(f -> f.word().equals(word)).map(Fact::value).toList();
  }

  boolean has(String word) {
    return facts.stream().anyMatch(f -> f.word().equals(word));
  }
}
