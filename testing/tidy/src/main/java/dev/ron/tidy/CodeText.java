package dev.ron.tidy;

/**
 * Java source with the inside of every comment, string, text block and character literal turned
 * into spaces, so that a word there is not taken for code.
 *
 * <p>Every character keeps its place and every line break stays, so an offset here is an offset in
 * the file. Unicode escapes are not undone: the project writes none outside literals.
 *
 * <p>Threading: owned by the call that makes it.
 */
final class CodeText {
  private static final String TEXT_BLOCK = "\"\"\"";

  private final String text;
  private final char[] out;
  private int at;

  private CodeText(String text) {
    this.text = text;
    this.out = text.toCharArray();
  }

  /** The source without its words: same length, same lines. */
  static String of(String source) {
    return new CodeText(source).blanked();
  }

  private String blanked() {
    while (at < text.length()) {
      if (text.startsWith("//", at)) {
        blankTo(ending("\n", at + 2));
      } else if (text.startsWith("/*", at)) {
        int end = ending("*/", at + 2);
        blankTo(Math.min(end + 2, text.length()));
      } else if (text.startsWith(TEXT_BLOCK, at)) {
        literal(TEXT_BLOCK);
      } else if (text.charAt(at) == '"') {
        literal("\"");
      } else if (text.charAt(at) == '\'') {
        literal("'");
      } else {
        at++;
      }
    }
    return new String(out);
  }

  /** Keeps the delimiters: a pattern may want to know that a literal stood there. */
  private void literal(String delimiter) {
    boolean oneLine = delimiter.length() == 1;
    int end = at + delimiter.length();
    while (end < text.length() && !text.startsWith(delimiter, end)) {
      if (oneLine && text.charAt(end) == '\n') {
        break;
      }
      end += text.charAt(end) == '\\' ? 2 : 1;
    }
    at += delimiter.length();
    blankTo(Math.min(end, text.length()));
    at = Math.min(at + delimiter.length(), text.length());
  }

  private int ending(String mark, int from) {
    int found = text.indexOf(mark, from);
    return found < 0 ? text.length() : found;
  }

  private void blankTo(int end) {
    for (; at < end; at++) {
      if (out[at] != '\n' && out[at] != '\r') {
        out[at] = ' ';
      }
    }
  }
}
