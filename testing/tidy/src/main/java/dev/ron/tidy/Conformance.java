package dev.ron.tidy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Asks every statement of the seeds for a test that shows it or a decision that changes it, and for
 * a line that says what is missing where there is neither.
 *
 * <p>A statement that says it is open and is shown is refused too, so that the list of open ones
 * can only become shorter.
 */
final class Conformance implements Rule {
  private static final Pattern ID = Pattern.compile("[A-Z]\\d{2,3}[a-z]?");
  private static final Set<String> REGISTERED = Set.of("task", "channel", "lock", "metric");
  private static final Set<String> WORDS = Set.of("code", "test", "key", "adr", "open");

  @Override
  public String name() {
    return "conformance";
  }

  @Override
  public String why() {
    return "What the seeds ask for is shown, decided otherwise, or openly missing.";
  }

  @Override
  public List<Finding> check(SourceTree tree) {
    var statements = SeedStatement.in(tree);
    var shown = SeedTests.in(tree).shown();
    var found = new ArrayList<Finding>();
    Map<String, SeedStatement> byId = new HashMap<>();
    for (SeedStatement statement : statements) {
      if (byId.putIfAbsent(statement.id(), statement) != null) {
        found.add(at(statement, statement.id() + ": an id of its own"));
      }
      checkWords(statement, found);
      checkFacts(tree, statement, found);
      checkEnd(tree, statement, shown, found);
    }
    for (SeedTests.Shown test : shown) {
      if (!byId.containsKey(test.id())) {
        found.add(at(test, test.id() + ": an id of docs/conformance"));
      } else if (!test.runs()) {
        found.add(at(test, test.id() + ": a test that is run"));
      }
    }
    return found;
  }

  private void checkWords(SeedStatement statement, List<Finding> found) {
    if (!ID.matcher(statement.id()).matches()
        || statement.text().isBlank()
        || statement.facts().isEmpty()) {
      found.add(at(statement, "id | section | statement | facts"));
    }
    statement.facts().stream()
        .filter(f -> !WORDS.contains(f.word()) && !REGISTERED.contains(f.word()))
        .forEach(f -> found.add(at(statement, f.word() + ": one of " + WORDS + REGISTERED)));
  }

  private void checkFacts(SourceTree tree, SeedStatement statement, List<Finding> found) {
    for (SeedStatement.Fact fact : statement.facts()) {
      boolean there =
          switch (fact.word()) {
            case "code" -> code(tree, fact.value()).isPresent();
            case "adr" -> adr(tree, fact.value()).isPresent();
            case "test" ->
                SeedTests.named(tree, statement.id(), fact.value())
                    .filter(SeedTests.Shown::runs)
                    .isPresent();
            case "key" -> isKey(tree, fact.value());
            case "task", "channel", "lock", "metric" -> isRegistered(tree, statement, fact.value());
            default -> true;
          };
      if (!there) {
        found.add(at(statement, fact.word() + " " + fact.value() + ": one that is there"));
      }
    }
  }

  private void checkEnd(
      SourceTree tree, SeedStatement statement, List<SeedTests.Shown> shown, List<Finding> found) {
    boolean covered = statement.has("adr") || !tests(tree, statement, shown).isEmpty();
    if (statement.has("open") && covered) {
      found.add(at(statement, "it is shown or decided: take `open` away"));
    } else if (!statement.has("open") && !covered) {
      found.add(at(statement, "a test with @SeedRow, an ADR, or `open` and what is missing"));
    } else if (covered && !statement.has("adr") && !statement.has("code")) {
      found.add(at(statement, "`code` and what implements it"));
    }
  }

  /** The tests of a statement: those with its id, and those it names. */
  static List<SeedTests.Shown> tests(
      SourceTree tree, SeedStatement statement, List<SeedTests.Shown> shown) {
    return Stream.concat(
            shown.stream().filter(s -> s.id().equals(statement.id())),
            statement.all("test").stream()
                .flatMap(name -> SeedTests.named(tree, statement.id(), name).stream()))
        .toList();
  }

  /** The file that a type's name or a path stands for. */
  static Optional<String> code(SourceTree tree, String name) {
    return name.contains("/") || name.contains(".")
        ? Optional.of(name).filter(tree::exists)
        : tree.mainJava().stream()
            .filter(f -> f.fileName().equals(name + ".java"))
            .map(SourceFile::path)
            .findFirst();
  }

  /** The file of a decision, by its number. */
  static Optional<String> adr(SourceTree tree, String number) {
    return tree.paths().stream()
        .filter(p -> number.matches("\\d{4}") && p.startsWith("docs/adr/" + number + "-"))
        .findFirst();
  }

  // Default and key as the page of settings has them, which is written from the code.
  private static boolean isKey(SourceTree tree, String value) {
    String[] parts = value.split(" ", 2);
    String start = "| `" + parts[0] + "` |";
    return lines(tree, "docs/configuration.md")
        .anyMatch(
            line ->
                line.startsWith(start)
                    && (parts.length < 2 || line.contains("| `" + parts[1] + "` |")));
  }

  private static boolean isRegistered(SourceTree tree, SeedStatement statement, String value) {
    String row =
        Stream.of(value.split(",", -1)).map(String::strip).collect(Collectors.joining(" | "));
    String wanted = "| `" + row.replaceFirst("( \\||$)", "`$1");
    return lines(tree, "docs/concurrency/" + statement.seed() + ".md")
        .anyMatch(line -> line.startsWith(wanted + " |"));
  }

  private static Stream<String> lines(SourceTree tree, String path) {
    return tree.file(path).stream().flatMap(file -> file.text().lines());
  }

  private Finding at(SeedStatement statement, String wanted) {
    return new Finding(statement.path(), statement.line(), name(), wanted);
  }

  private Finding at(SeedTests.Shown test, String wanted) {
    return new Finding(test.file().path(), test.line(), name(), wanted);
  }
}
