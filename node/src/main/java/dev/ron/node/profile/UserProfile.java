package dev.ron.node.profile;

import dev.ron.capability.SecretFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A file of a user's own with what commands would else be told by variables: {@code RON_CAP=...},
 * {@code RON_URL_MAILBOX=...}. Only its owner may read it.
 *
 * <p>Threading: immutable.
 */
public final class UserProfile {
  private static final String NAME = "[A-Z][A-Z0-9_]*";

  private UserProfile() {}

  /** {@code ron/profile} under XDG_CONFIG_HOME, or under {@code ~/.config}. */
  public static Path file(Map<String, String> environment) {
    String config = environment.getOrDefault("XDG_CONFIG_HOME", "");
    Path base = config.isEmpty() ? home(environment).resolve(".config") : Path.of(config);
    return base.resolve("ron").resolve("profile");
  }

  /**
   * What the shell has for {@code ~}: other programs look there, whatever the JVM takes for home.
   */
  public static Path home(Map<String, String> environment) {
    return Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")));
  }

  /** Empty if there is none. */
  static Map<String, String> read(Path file) throws IOException {
    if (Files.notExists(file)) {
      return Map.of();
    }
    SecretFile.requireOwnerOnly(file);
    Map<String, String> values = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      int equals = line.indexOf('=');
      if (equals > 0 && line.substring(0, equals).matches(NAME)) {
        values.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return values;
  }

  /** Sets these values; others, such as the addresses of a node, stay. */
  public static void change(Path file, Map<String, String> values) throws IOException {
    var all = new TreeMap<>(read(file));
    all.putAll(values);
    write(file, all);
  }

  /** Replaces the file as a whole. */
  public static void write(Path file, Map<String, String> values) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    SecretFile.replace(
        file,
        new TreeMap<>(values)
            .entrySet().stream()
                .map(value -> value.getKey() + "=" + value.getValue() + "\n")
                .collect(Collectors.joining()));
  }
}
