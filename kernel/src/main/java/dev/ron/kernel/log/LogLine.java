package dev.ron.kernel.log;

import dev.ron.kernel.registry.RegistryJson;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** One event with its fields; the fields keep the order they were given in. */
public record LogLine(
    Instant at, Level level, String service, String event, Map<String, String> fields) {
  /** How much an operator should care. */
  public enum Level {
    DEBUG,
    INFO,
    WARN,
    ERROR
  }

  /**
   * Keys that every line has; a field of such a name gets an underscore appended, so no key comes
   * twice.
   */
  private static final Set<String> OWN = Set.of("ts", "level", "service", "event");

  public LogLine {
    var renamed = new LinkedHashMap<String, String>();
    fields.forEach((key, value) -> renamed.put(free(key, renamed), value));
    fields = Collections.unmodifiableMap(renamed);
  }

  private static String free(String key, Map<String, String> taken) {
    return OWN.contains(key) || taken.containsKey(key) ? free(key + "_", taken) : key;
  }

  /** For machines: one object on one line. */
  public String json() {
    var out = new StringBuilder();
    out.append("{\"ts\":").append(RegistryJson.quoted(at.toString()));
    out.append(",\"level\":\"").append(level.name().toLowerCase(java.util.Locale.ROOT));
    out.append("\",\"service\":").append(RegistryJson.quoted(service));
    out.append(",\"event\":").append(RegistryJson.quoted(event));
    fields.forEach(
        (key, value) ->
            out.append(',')
                .append(RegistryJson.quoted(key))
                .append(':')
                .append(RegistryJson.quoted(value)));
    return out.append('}').toString();
  }

  /** For a terminal: one line, and nothing in it that moves the cursor. */
  public String text() {
    var out = new StringBuilder();
    out.append(at.truncatedTo(ChronoUnit.MILLIS)).append(' ');
    out.append("%-5s %-8s %s".formatted(level, service, event));
    fields.forEach(
        (key, value) -> out.append(' ').append(key).append('=').append(printable(value)));
    return out.toString();
  }

  /** Values may be of a stranger: a path, a header, the words of an upstream. */
  private static String printable(String value) {
    var out = new StringBuilder(value.length());
    value
        .codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                  if (Character.isISOControl(c) || isSteering(c)) {
                    out.append("\\u%04x".formatted(c));
                  } else {
                    out.appendCodePoint(c);
                  }
                }
              }
            });
    return out.toString();
  }

  /** What has no glyph of its own and changes how the rest of a line is read. */
  private static boolean isSteering(int c) {
    int type = Character.getType(c);
    return type == Character.FORMAT
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }
}
