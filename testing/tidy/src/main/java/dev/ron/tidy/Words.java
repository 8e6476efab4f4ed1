package dev.ron.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Refuses words that do not belong in the project: who typed it, where on whose disk, and promises
 * to finish later.
 *
 * <p>The patterns are written so that none of them matches itself.
 *
 * <p>Threading: immutable.
 */
final class Words implements FileRule {
  private static final Pattern WRITER =
      Pattern.compile(
          "(?i:\\bc[l]aude\\b|\\ba[n]thropic|\\bchat[g]pt|\\bo[p]enai|\\bc[o]pilot\\b"
              + "|\\bg[p]t-?\\d|\\blarge l[a]nguage model|\\ba[s]sistants?\\b"
              + "|\\bco-[a]uthored-by\\b|\\bcoding a[g]ents?\\b)"
              + "|\\b[A]I\\b|\\bL[L]Ms?\\b");
  private static final String HOMES =
      "/(?:r[o]ot|h[o]me|U[s]ers)/(?=[\\w.])|\\b[A-Z]:\\\\{1,2}U[s]ers\\\\";
  private static final Pattern LATER = Pattern.compile("\\b(?:T[O]DO|F[I]XME|X[X]X)\\b");

  private final Pattern machine;

  private Words(Pattern machine) {
    this.machine = machine;
  }

  /** Also refuses these absolute folders, which are true on one machine alone. */
  static Words withMachinePaths(List<String> folders) {
    var all = Stream.concat(Stream.of(HOMES), folders.stream().map(f -> Pattern.quote(f) + "\\b"));
    return new Words(Pattern.compile("(?<![\\w.}$-])(?:" + String.join("|", all.toList()) + ")"));
  }

  @Override
  public String name() {
    return "word";
  }

  @Override
  public String why() {
    return "The project speaks of itself alone, works on every machine and hides no debt.";
  }

  @Override
  public List<Finding> check(SourceFile file) {
    var found = new ArrayList<Finding>();
    String text = file.text();
    found.addAll(file.matches(WRITER, text, name(), "say what the code does, not who typed it"));
    found.addAll(file.matches(machine, text, name(), "a path relative to the project"));
    if (file.isMainJava()) {
      found.addAll(file.matches(LATER, text, name(), "do it now, or open an issue and say why"));
    }
    return found;
  }
}
