package dev.ron.node.profile;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Rows for people: columns of one width, figures to the right, the head bold where colours are
 * wanted.
 *
 * <p>Threading: stateless.
 */
public final class TextTable {
  private static final String BOLD = "\u001b[1m";
  private static final String PLAIN = "\u001b[0m";

  private TextTable() {}

  /** Whether to send colours to a terminal; NO_COLOR with any value says no. */
  public static boolean coloured(Map<String, String> environment) {
    return environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !"dumb".equals(environment.get("TERM"));
  }

  public static String of(List<String> head, List<List<String>> cells, boolean coloured) {
    List<List<String>> rows =
        cells.stream().map(row -> row.stream().map(TextTable::plain).toList()).toList();
    var widths = new int[head.size()];
    var figures = new boolean[head.size()];
    for (int i = 0; i < head.size(); i++) {
      int column = i;
      widths[i] =
          Math.max(
              head.get(i).length(),
              rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0));
      figures[i] = !rows.isEmpty() && rows.stream().allMatch(row -> isFigure(row.get(column)));
    }
    var lines = new ArrayList<String>();
    String top = line(head, widths, figures);
    lines.add(coloured ? BOLD + top + PLAIN : top);
    rows.forEach(row -> lines.add(line(row, widths, figures)));
    return String.join("\n", lines);
  }

  /** A sender's text without control codes, which a terminal would obey. */
  public static String plain(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  private static boolean isFigure(String text) {
    return !text.isEmpty() && text.chars().allMatch(c -> (c >= '0' && c <= '9') || c == '.');
  }

  private static String line(List<String> cells, int[] widths, boolean[] figures) {
    var line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String space = " ".repeat(widths[i] - cells.get(i).length());
      line.append(i == 0 ? "" : "  ");
      line.append(figures[i] ? space + cells.get(i) : cells.get(i) + space);
    }
    return line.toString().stripTrailing();
  }

  /** How long ago, in the largest unit that fits. */
  public static String ago(Duration age) {
    long seconds = Math.max(0, age.toSeconds());
    return seconds < 60
        ? seconds + " s"
        : seconds < 3600
            ? seconds / 60 + " min"
            : seconds < 86_400 ? seconds / 3600 + " h" : seconds / 86_400 + " d";
  }

  /** Bytes as words where they are words, else their length; one line, and no control codes. */
  public static String payload(byte[] bytes, int charsMax) {
    String text = new String(bytes, UTF_8);
    boolean words = text.chars().noneMatch(c -> c == 0xfffd || (c < ' ' && c != '\n' && c != '\t'));
    if (!words) {
      return bytes.length + " bytes that are no text";
    }
    String line = text.strip().replaceAll("\\s+", " ").replaceAll("\\p{Cntrl}", "?");
    return line.length() > charsMax ? line.substring(0, charsMax - 3) + "..." : line;
  }
}
