package dev.ron.config.source;

import dev.ron.config.value.RawValue;
import dev.ron.config.value.ValueOrigin;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Environment variables: {@code RON_MAILBOX__SHARD_COUNT} is {@code mailbox.shard_count}. Two
 * underscores are a dot, one is itself.
 *
 * <p>Names are made from keys and never taken apart again, so no variable can mean two keys.
 *
 * <p>Threading: immutable.
 */
public record Environment(Map<String, String> variables) implements ConfigSource {
  private static final String PREFIX = "RON_";
  private static final String DOT = "__";

  public Environment {
    variables = Map.copyOf(variables);
  }

  public static String name(String path) {
    return PREFIX + path.replace(".", DOT).toUpperCase(Locale.ROOT);
  }

  @Override
  public @Nullable RawValue find(String path) {
    String name = name(path);
    String value = variables.get(name);
    return value == null ? null : new RawValue(value, new ValueOrigin.Variable(name));
  }

  /**
   * The variables that are meant for the configuration: those with a level in them, and those that
   * begin like a section, where an underscore was forgotten. {@code RON_HOME} may be the
   * launcher's.
   */
  public List<String> meant(Set<String> sections) {
    return variables.keySet().stream()
        .filter(name -> name.startsWith(PREFIX))
        .filter(
            name ->
                name.contains(DOT)
                    || sections.stream().anyMatch(section -> name.startsWith(name(section) + "_")))
        .sorted()
        .toList();
  }
}
