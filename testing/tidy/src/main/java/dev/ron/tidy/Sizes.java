package dev.ron.tidy;

import java.util.ArrayList;
import java.util.List;

/**
 * Keeps files and methods small enough to hold in mind.
 *
 * <p>The figures are those of the codebases the style learned from: past the soft size a second
 * look, past the hard size a design problem.
 */
final class Sizes implements FileRule {
  static final int FILE_LINES_SOFT = 300;
  static final int FILE_LINES_MAX = 500;
  static final int METHOD_LINES_SOFT = 40;
  static final int METHOD_LINES_MAX = 60;

  @Override
  public String name() {
    return "size";
  }

  @Override
  public String why() {
    return "What does not fit in mind is changed without being understood.";
  }

  @Override
  public List<Finding> check(SourceFile file) {
    return over(file, FILE_LINES_MAX, METHOD_LINES_MAX);
  }

  /** What wants a second look, refused or not. */
  static List<Finding> secondLook(SourceTree tree) {
    var sizes = new Sizes();
    return tree.files().stream()
        .flatMap(f -> sizes.over(f, FILE_LINES_SOFT, METHOD_LINES_SOFT).stream())
        .toList();
  }

  private List<Finding> over(SourceFile file, int fileLines, int methodLines) {
    if (!file.isMainJava()) {
      return List.of();
    }
    var found = new ArrayList<Finding>();
    if (file.lineCount() > fileLines) {
      found.add(
          new Finding(
              file.path(),
              fileLines + 1,
              name(),
              file.lineCount()
                  + " lines, more than "
                  + fileLines
                  + ": a second noun, its own file"));
    }
    var syntax = file.syntax();
    for (var method : syntax.methods()) {
      int lines = syntax.endLine(method) - syntax.line(method) + 1;
      if (lines > methodLines) {
        found.add(
            new Finding(
                file.path(),
                syntax.line(method),
                name(),
                method.getName()
                    + " has "
                    + lines
                    + " lines, more than "
                    + methodLines
                    + ": name its steps as methods"));
      }
    }
    return found;
  }
}
