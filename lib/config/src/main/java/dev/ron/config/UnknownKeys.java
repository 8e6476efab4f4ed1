package dev.ron.config;

import dev.ron.config.source.ConfigProblem;
import dev.ron.config.source.Environment;
import dev.ron.config.source.Flags;
import dev.ron.config.source.TomlFile;
import dev.ron.config.value.Literal;
import dev.ron.config.value.ValueOrigin;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.tomlj.TomlTable;

/**
 * The keys that a source holds and no section read. An operator may rely on such a key as a guard,
 * so each one stops the start.
 *
 * <p>Threading: owned by the thread that reads the {@link Settings}.
 */
final class UnknownKeys {
  /** For more than this many the nearest key is not looked for: it is a wrong file, not a typo. */
  private static final int NEAREST_MAX = ConfigFault.PROBLEMS_SHOWN_MAX;

  private final ConfigRegistry registry;
  private final Set<String> keys;
  private final Set<String> prefixes = new LinkedHashSet<>();
  private final List<ConfigProblem> problems = new ArrayList<>();

  private UnknownKeys(ConfigRegistry registry) {
    this.registry = registry;
    this.keys = registry.keys();
    registry.sections().forEach(this::addPrefixes);
    keys.forEach(this::addPrefixes);
    prefixes.removeAll(keys);
  }

  static List<ConfigProblem> find(
      ConfigRegistry registry, Flags flags, Environment environment, TomlFile file) {
    var unknown = new UnknownKeys(registry);
    unknown.inFlags(flags);
    unknown.inEnvironment(environment);
    unknown.inTable("", file.root(), file.origin());
    for (ConfigRegistry.Element element : registry.elements()) {
      unknown.inTable(element.path(), element.table(), element.origin());
    }
    return unknown.problems;
  }

  private void addPrefixes(String path) {
    for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      prefixes.add(path.substring(0, dot));
    }
    if (!keys.contains(path)) {
      prefixes.add(path);
    }
  }

  private void inFlags(Flags flags) {
    Set<String> known = settable();
    flags.names().stream()
        .filter(name -> !known.contains(name))
        .sorted()
        .forEach(
            name -> {
              String near = near(name, known, "key");
              ValueOrigin origin = flags.origin(name);
              // Only a flag names its key.
              String what = origin instanceof ValueOrigin.Flag ? "" : name + " ";
              add(origin, what + "is not a known key" + near);
            });
  }

  private void inEnvironment(Environment environment) {
    var known = new LinkedHashSet<String>();
    settable().forEach(path -> known.add(Environment.name(path)));
    var sections = new LinkedHashSet<>(registry.sections());
    sections.remove("");
    environment.meant(sections).stream()
        .filter(name -> !known.contains(name))
        .forEach(
            name -> {
              String near = near(name, known, "one");
              add(new ValueOrigin.Variable(name), "is not a known variable" + near);
            });
  }

  private void inTable(String prefix, TomlTable table, ValueOrigin whole) {
    for (String key : table.keySet()) {
      String path = Section.join(prefix, Literal.key(key));
      ValueOrigin origin = TomlFile.originOf(table, key, whole);
      Object value = table.get(List.of(key));
      if (keys.contains(path) || registry.arrays().contains(path)) {
        continue;
      }
      if (!prefixes.contains(path)) {
        add(origin, path + " is not a known key" + near(path, all(), "key"));
      } else if (value instanceof TomlTable inner) {
        inTable(path, inner, whole);
      } else {
        add(origin, "%s is a table of keys, [%s], and not a value".formatted(path, path));
      }
    }
  }

  private void add(ValueOrigin origin, String what) {
    problems.add(new ConfigProblem(origin, what));
  }

  /** What a flag or a variable can set: all but the keys within an array of tables. */
  private Set<String> settable() {
    var settable = new LinkedHashSet<>(keys);
    settable.addAll(registry.arrays());
    settable.removeIf(path -> path.contains("["));
    return settable;
  }

  private Set<String> all() {
    var all = new LinkedHashSet<>(keys);
    all.addAll(prefixes);
    all.addAll(registry.arrays());
    all.removeIf(path -> path.isEmpty() || path.contains("[]"));
    return all;
  }

  private String near(String unknown, Collection<String> known, String noun) {
    if (problems.size() >= NEAREST_MAX) {
      return "";
    }
    String leaf = unknown.substring(unknown.lastIndexOf('.') + 1);
    return NearestWord.to(unknown, known)
        .map(
            near -> {
              int distance = NearestWord.distance(unknown, near);
              if (distance <= Math.max(2, leaf.length() / 3)) {
                return "; did you mean " + near + "?";
              }
              return "; the nearest known " + noun + " is " + elsewhere(leaf, known, near);
            })
        .orElse("");
  }

  /** A key of the same name at another level is nearer to what was meant than any spelling. */
  private static String elsewhere(String leaf, Collection<String> known, String near) {
    return known.stream()
        .filter(path -> path.endsWith("." + leaf))
        .sorted()
        .findFirst()
        .orElse(near);
  }
}
