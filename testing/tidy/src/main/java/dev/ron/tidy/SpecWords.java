package dev.ron.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Asks every word of the specification to be found by its name: {@code find . -name 'Word*'} gives
 * the noun and its test, and a page of the documentation says what it is.
 *
 * <p>Threading: immutable.
 */
record SpecWords(List<String> words) implements Rule {

  /** Words the five services are specified with. */
  static final SpecWords PROJECT =
      new SpecWords(
          List.of(
              "AllowList",
              "Amnesia",
              "Capability",
              "DeadLetter",
              "DeficitRoundRobin",
              "ETag",
              "Idempotency",
              "Placement",
              "Quota",
              "Repair",
              "Replication",
              "Reprocess",
              "Shutdown",
              "SingleFlight",
              "Vary",
              "VisibilityTimeout"));

  @Override
  public String name() {
    return "spec-word";
  }

  @Override
  public String why() {
    return "The word a reader brings is the name of the file, of its test and of its page.";
  }

  @Override
  public List<Finding> check(SourceTree tree) {
    var found = new ArrayList<Finding>();
    // A tree without documentation is a fragment of the project, which promises no word.
    if (tree.file("docs/glossary.md").isEmpty()) {
      return found;
    }
    for (String word : words) {
      if (none(tree, f -> Product.has(f) && f.fileName().startsWith(word))) {
        found.add(new Finding("docs/glossary.md", 1, name(), "a type called " + word + "..."));
      }
      if (none(tree, f -> f.isTestJava() && f.fileName().startsWith(word))) {
        found.add(new Finding("docs/glossary.md", 1, name(), "a test called " + word + "..."));
      }
      String spoken = word.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
      if (none(tree, f -> f.path().matches("docs/.*\\.md") && says(f, spoken))) {
        found.add(new Finding("docs/glossary.md", 1, name(), "a page that says " + spoken));
      }
    }
    return found;
  }

  private static boolean says(SourceFile page, String spoken) {
    return page.text().toLowerCase(Locale.ROOT).contains(spoken);
  }

  private static boolean none(SourceTree tree, Predicate<SourceFile> wanted) {
    return tree.files().stream().noneMatch(wanted);
  }
}
