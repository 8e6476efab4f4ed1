package dev.ron.config;

import dev.ron.config.source.ConfigProblem;
import dev.ron.config.value.ValueOrigin;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.tomlj.TomlTable;

/**
 * What has been read so far: keys declared, values in effect, problems met.
 *
 * <p>Threading: owned by the thread that reads the {@link Settings}.
 */
final class ConfigRegistry {
  /** One table of an array of tables, to be searched for keys that no section read. */
  record Element(String path, TomlTable table, ValueOrigin origin) {}

  private final Map<String, Declaration> declarations = new LinkedHashMap<>();
  private final Map<String, ConfigEntry> entries = new LinkedHashMap<>();
  private final Set<String> sections = new LinkedHashSet<>();
  private final Set<String> arrays = new LinkedHashSet<>();
  private final List<Element> elements = new ArrayList<>();
  private final List<ConfigProblem> problems = new ArrayList<>();
  private final Set<String> unreadable = new HashSet<>();
  private final boolean fileIsWhole;

  /**
   * @param fileIsWhole false if the file could not be read: then a key may only seem to be missing
   *     and a rule only seem broken, because what the file said about them is not known
   */
  ConfigRegistry(boolean fileIsWhole) {
    this.fileIsWhole = fileIsWhole;
  }

  /** A key of an array of tables is declared once and read as often as there are tables. */
  void declare(Declaration declaration, boolean isElement) {
    Declaration before = declarations.putIfAbsent(declaration.path(), declaration);
    boolean isRepeat = isElement && declaration.equals(before);
    if (before != null && !isRepeat) {
      throw new IllegalStateException("the key " + declaration.path() + " is declared twice");
    }
  }

  void enter(ConfigEntry entry) {
    if (entries.putIfAbsent(entry.path(), entry) != null) {
      throw new IllegalStateException("the key " + entry.path() + " is read twice");
    }
  }

  void section(String path) {
    sections.add(path);
  }

  void array(String path) {
    arrays.add(path);
  }

  void element(Element element) {
    elements.add(element);
  }

  void problem(ConfigProblem problem) {
    problems.add(problem);
  }

  /**
   * A value that could not be read: its default takes its place, so rules about it mean nothing.
   */
  void unreadable(String path, ConfigProblem problem) {
    problems.add(problem);
    unreadable.add(path);
  }

  /** A required key that no source has. */
  void missing(String path, ConfigProblem problem) {
    if (fileIsWhole) {
      unreadable(path, problem);
    }
  }

  /**
   * A record refused its fields. If a default in the place of an unreadable value may be the cause,
   * the first problem is enough.
   */
  void refused(SectionScope scope, IllegalArgumentException why) {
    if (!fileIsWhole) {
      return;
    }
    String section = scope.path();
    String prefix = section + ".";
    if (!(why instanceof Rule.Broken broken)) {
      if (unreadable.stream().noneMatch(path -> path.startsWith(prefix))) {
        String where = section.isEmpty() ? "" : section + ": ";
        problems.add(new ConfigProblem(scope.origin(), where + why.getMessage()));
      }
      return;
    }
    if (broken.keys().stream().anyMatch(key -> unreadable.contains(prefix + key))) {
      return;
    }
    var from = new ArrayList<String>();
    ValueOrigin first = new ValueOrigin.Default();
    for (String key : broken.keys()) {
      ConfigEntry entry = entries.get(prefix + key);
      ValueOrigin origin = entry == null ? new ValueOrigin.Default() : entry.origin();
      first = first instanceof ValueOrigin.Default ? origin : first;
      from.add(key + " from " + origin.place());
    }
    String what = section + ": " + broken.getMessage() + " (" + String.join(", ", from) + ")";
    problems.add(
        new ConfigProblem(first instanceof ValueOrigin.Default ? scope.origin() : first, what));
  }

  List<ConfigProblem> problems() {
    return List.copyOf(problems);
  }

  List<Element> elements() {
    return List.copyOf(elements);
  }

  Set<String> sections() {
    return sections;
  }

  Set<String> arrays() {
    return arrays;
  }

  /** The paths of the keys that were read, arrays of tables with their indices. */
  Set<String> keys() {
    return entries.keySet();
  }

  ConfigCatalogue catalogue() {
    return new ConfigCatalogue(List.copyOf(declarations.values()), List.copyOf(entries.values()));
  }
}
