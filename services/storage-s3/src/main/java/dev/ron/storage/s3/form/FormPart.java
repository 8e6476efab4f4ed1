package dev.ron.storage.s3.form;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import java.util.List;
import java.util.Locale;

/**
 * The head of one part of a form.
 *
 * <p>Threading: immutable.
 *
 * @param filename empty if the part has none
 */
record FormPart(String name, String filename) {
  private static final String DISPOSITION = "content-disposition:";

  /**
   * @param lines without their ends
   */
  static FormPart of(List<String> lines) throws Refusal {
    for (String line : lines) {
      if (line.toLowerCase(Locale.ROOT).startsWith(DISPOSITION)) {
        String value = line.substring(DISPOSITION.length()).strip();
        String name = parameter(value, "name");
        if (value.toLowerCase(Locale.ROOT).startsWith("form-data") && !name.isEmpty()) {
          return new FormPart(name, parameter(value, "filename"));
        }
      }
    }
    throw Refusal.of(new S3Fault.MalformedPOSTRequest("a part of the form has no name"));
  }

  /** Browsers escape a quote as %22, other clients with a backslash; both are read. */
  private static String parameter(String value, String name) {
    int at = 0;
    while (at < value.length()) {
      int end = end(value, at);
      String piece = value.substring(at, end).strip();
      int equals = piece.indexOf('=');
      if (equals > 0 && piece.substring(0, equals).strip().equalsIgnoreCase(name)) {
        return unquoted(piece.substring(equals + 1).strip());
      }
      at = end + 1;
    }
    return "";
  }

  /** Where a parameter ends: at a semicolon that is not in quotes. */
  private static int end(String value, int from) {
    boolean quoted = false;
    for (int i = from; i < value.length(); i++) {
      char c = value.charAt(i);
      if (quoted && c == '\\') {
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ';' && !quoted) {
        return i;
      }
    }
    return value.length();
  }

  private static String unquoted(String text) {
    if (text.length() < 2 || !text.startsWith("\"") || !text.endsWith("\"")) {
      return text;
    }
    return text.substring(1, text.length() - 1)
        .replace("\\\"", "\"")
        .replace("%22", "\"")
        .replace("%0D", "\r")
        .replace("%0A", "\n");
  }
}
