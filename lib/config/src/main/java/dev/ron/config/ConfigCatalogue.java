package dev.ron.config;

import dev.ron.config.value.Literal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Every key there is, with the value in effect and where that came from; what {@code ron config}
 * prints and the reference in the docs is made of.
 *
 * <p>Threading: immutable.
 *
 * @param declarations every key that can be set, in the order of reading
 * @param entries every key in effect; keys of arrays of tables once for each table
 */
public record ConfigCatalogue(List<Declaration> declarations, List<ConfigEntry> entries) {
  /** A value wider than this does not push the origins of all others off the screen. */
  private static final int COLUMN_WIDTH_MAX = 48;

  public ConfigCatalogue {
    declarations = List.copyOf(declarations);
    entries = List.copyOf(entries);
  }

  /** Only the keys of one section, for the page of one service. */
  public ConfigCatalogue of(String section) {
    Predicate<String> isWithin = path -> path.startsWith(section + ".");
    return new ConfigCatalogue(
        declarations.stream().filter(key -> isWithin.test(key.path())).toList(),
        entries.stream().filter(entry -> isWithin.test(entry.path())).toList());
  }

  public Optional<ConfigEntry> entry(String path) {
    return entries.stream().filter(entry -> entry.path().equals(path)).findFirst();
  }

  /** The guards that {@code danger_ok} let through, for a warning at every start. */
  public List<ConfigEntry> weakened() {
    return entries.stream().filter(ConfigEntry::weakened).toList();
  }

  /** For a terminal: key, value and origin in columns. */
  public String table() {
    int keyWidth = width(entries.stream().map(ConfigEntry::path).toList());
    int valueWidth = width(entries.stream().map(ConfigEntry::text).toList());
    String row = "%-" + keyWidth + "s  %-" + valueWidth + "s  %s\n";
    var text = new StringBuilder(row.formatted("key", "value", "from"));
    for (ConfigEntry entry : entries) {
      String mark =
          entry.weakened()
              ? "  (weaker than " + Literal.toml(entry.declaration().fallback()) + ")"
              : "";
      text.append(row.formatted(entry.path(), entry.text(), entry.origin().place() + mark));
    }
    return text.toString();
  }

  private static int width(List<String> column) {
    int widest = column.stream().mapToInt(String::length).max().orElse(0);
    return Math.clamp(widest, 5, COLUMN_WIDTH_MAX);
  }

  /** For programs: a list with one object a key, one a line. */
  public String json() {
    return entries.stream()
        .map(entry -> "  " + Literal.json(fields(entry)))
        .collect(Collectors.joining(",\n", "[\n", "\n]\n"));
  }

  private static Map<String, Object> fields(ConfigEntry entry) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("key", entry.path());
    fields.put("value", entry.plain());
    fields.put("from", entry.origin().place());
    fields.put("live", entry.declaration().live());
    fields.put("weakened", entry.weakened());
    return fields;
  }

  /** For the docs: a Markdown table of what can be set. */
  public String reference() {
    var text = new StringBuilder("| Key | Type | Default | Changes | Hardened | What it is |\n");
    text.append("|---|---|---|---|---|---|\n");
    for (Declaration key : declarations) {
      String fallback = "`" + Literal.toml(key.fallback()) + "`";
      WeakerValues weaker = key.weaker();
      text.append(
          "| `%s` | %s | %s | %s | %s | %s |\n"
              .formatted(
                  key.path(),
                  cell(key.type()),
                  cell(key.required() ? "required, as in " + fallback : fallback),
                  key.live() ? "live" : "at restart",
                  weaker == null ? "" : weaker.words(),
                  cell(key.doc())));
    }
    return text.toString();
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("\n", " ");
  }
}
