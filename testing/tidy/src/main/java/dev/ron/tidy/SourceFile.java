package dev.ron.tidy;

import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One text file of the project: where it is, what it says, and for Java what of that is code.
 *
 * <p>Threading: owned by the run that reads it; the parse is kept after the first ask.
 */
public final class SourceFile {
  private static final Pattern JAVA_PATH =
      Pattern.compile("(?:(?<module>.+)/)?src/(?<set>main|test)/java/(?:(?<folder>.+)/)?[^/]+");

  private final String path;
  private final String text;
  private final String code;
  private final String module;
  private final String set;
  private final String packageName;
  private @Nullable Syntax syntax;

  private SourceFile(String path, String text) {
    Matcher java = JAVA_PATH.matcher(path);
    boolean placed = java.matches();
    this.path = path;
    this.text = text;
    this.code = path.endsWith(".java") ? CodeText.of(text) : text;
    this.module = placed ? part(java, "module") : "";
    this.set = placed ? part(java, "set") : "";
    this.packageName = placed ? part(java, "folder").replace('/', '.') : "";
  }

  /**
   * @param path from the project's root, with forward slashes
   */
  public static SourceFile of(String path, String text) {
    return new SourceFile(path, text);
  }

  private static String part(Matcher matcher, String group) {
    String found = matcher.group(group);
    return found == null ? "" : found;
  }

  /** From the project's root, with forward slashes. */
  public String path() {
    return path;
  }

  /** The last step of the path. */
  public String fileName() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Everything the file says. */
  public String text() {
    return text;
  }

  /** For Java, the text with comments and literals blanked; otherwise the text. */
  public String code() {
    return code;
  }

  /** The folder of the Maven module, such as {@code lib/blake3}; empty outside all of them. */
  public String module() {
    return module;
  }

  /** The package its folder stands for; empty if it is not Java in a module. */
  public String packageName() {
    return packageName;
  }

  /** Java that ships. */
  public boolean isMainJava() {
    return set.equals("main") && path.endsWith(".java");
  }

  /** Java that proves it. */
  public boolean isTestJava() {
    return set.equals("test") && path.endsWith(".java");
  }

  /** Whether the file lies in this module or in a module under this folder. */
  public boolean isUnder(String folder) {
    return path.startsWith(folder + "/");
  }

  /** The line of an offset, counted from 1. */
  public int line(int offset) {
    return 1 + (int) text.substring(0, offset).chars().filter(c -> c == '\n').count();
  }

  /** How many lines the file has; a last line break starts none. */
  public int lineCount() {
    return (int) text.lines().count();
  }

  /** A finding at every match in the text or the code. */
  List<Finding> matches(Pattern pattern, String in, String rule, String replacement) {
    return pattern
        .matcher(in)
        .results()
        .map(m -> new Finding(path, line(m.start()), rule, replacement))
        .distinct()
        .toList();
  }

  /** The parsed file. */
  public Syntax syntax() {
    Syntax parsed = syntax;
    if (parsed == null) {
      parsed = Syntax.parse(this);
      syntax = parsed;
    }
    return parsed;
  }

  /** Parses all of these that are Java and not parsed yet, which is far faster than each alone. */
  static void parse(List<SourceFile> files) {
    List<SourceFile> left =
        files.stream().filter(f -> f.path.endsWith(".java") && f.syntax == null).toList();
    Iterator<Syntax> parsed = Syntax.parse(left).iterator();
    left.forEach(file -> file.syntax = parsed.next());
  }
}
