package dev.ron.models;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A TLC configuration file, as far as the tests look into it: which properties it asks for.
 *
 * <p>Threading: immutable.
 */
record Config(String name, List<String> invariants, List<String> temporal) {

  static final Path MODELS =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("tla");

  Config {
    invariants = List.copyOf(invariants);
    temporal = List.copyOf(temporal);
  }

  static Config read(String name) throws IOException {
    var lines = Files.readAllLines(MODELS.resolve(name + ".cfg"));
    return new Config(name, listed(lines, "INVARIANTS?"), listed(lines, "PROPERTY|PROPERTIES"));
  }

  /** Every config there is. */
  static List<String> names() throws IOException {
    try (var files = Files.list(MODELS)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".cfg"))
          .map(name -> name.substring(0, name.length() - ".cfg".length()))
          .sorted()
          .toList();
    }
  }

  /** Invariants and temporal properties. */
  List<String> properties() {
    return Stream.concat(invariants.stream(), temporal.stream()).toList();
  }

  /** The words that follow a keyword, up to the next keyword; keywords are all capitals. */
  private static List<String> listed(List<String> lines, String keyword) {
    var names = new ArrayList<String>();
    boolean inside = false;
    for (String line : lines) {
      if (line.startsWith("\\*")) {
        continue;
      }
      for (String word : line.strip().split("\\s+", -1)) {
        if (word.matches("[A-Z]{4,}")) {
          inside = word.matches(keyword);
        } else if (inside && !word.isEmpty()) {
          names.add(word);
        }
      }
    }
    return names;
  }
}
