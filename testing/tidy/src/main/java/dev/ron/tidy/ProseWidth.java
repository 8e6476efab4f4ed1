package dev.ron.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Holds the prose of Markdown files to a width that a terminal and a review show whole.
 *
 * <p>Where a link leads does not count: a reader of the page does not see it. Tables, headings and
 * code are as wide as they must be, and so is a line that nothing but one span of code makes wide.
 */
final class ProseWidth implements Rule {
  static final int COLUMNS_MAX = 110;

  private static final Pattern LINK_TARGET = Pattern.compile("\\]\\([^)]*\\)");
  private static final Pattern FENCE = Pattern.compile("\\s*(```|~~~).*");
  private static final Pattern ONE_SPAN = Pattern.compile("\\s*([-*] )?`[^`]*`[.,:;]?");
  private static final Pattern NOT_PROSE = Pattern.compile("(\\s*[|#]| {4}).*");

  @Override
  public String name() {
    return "prose-width";
  }

  @Override
  public String why() {
    return "A line of prose that runs out of the window is read to its edge.";
  }

  @Override
  public List<Finding> check(SourceTree tree) {
    return tree.files().stream()
        .filter(file -> file.path().endsWith(".md"))
        .flatMap(file -> wideLines(file).stream())
        .toList();
  }

  private List<Finding> wideLines(SourceFile file) {
    var found = new ArrayList<Finding>();
    boolean code = false;
    int number = 0;
    for (String line : file.text().lines().toList()) {
      number++;
      if (FENCE.matcher(line).matches()) {
        code = !code;
      } else if (!code && !NOT_PROSE.matcher(line).matches()) {
        String shown = LINK_TARGET.matcher(line).replaceAll("]");
        if (shown.codePointCount(0, shown.length()) > COLUMNS_MAX
            && !ONE_SPAN.matcher(line).matches()) {
          found.add(
              new Finding(file.path(), number, name(), "lines of " + COLUMNS_MAX + " columns"));
        }
      }
    }
    return found;
  }
}
