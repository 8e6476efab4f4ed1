package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.config.ConfigCatalogue;
import dev.ron.config.Declaration;
import dev.ron.config.value.Literal;
import dev.ron.config.value.ValueOrigin;
import dev.ron.testkit.Golden;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * The page of the configuration: the table is made of the code, every key has an example on the
 * page, and every example is a file that the node reads.
 */
@ResourceLock(Resources.SYSTEM_OUT)
final class ConfigurationPageTest {
  private static final Pattern FILE = Pattern.compile("(?ms)^```toml\n(.*?)^```$");

  /** What a default leaves open. */
  private static final Set<Object> NOTHING = Set.of("", List.of(), Map.of());

  @TempDir private Path folder;

  private static String examples() throws Exception {
    try (InputStream in =
        ConfigurationPageTest.class.getResourceAsStream("configuration-examples.md")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
    }
  }

  private ConfigCatalogue read(String toml) throws Exception {
    // What the examples name in /etc is made here, because a setting may be read at once.
    Files.writeString(folder.resolve("collector.headers"), "X-Key: a-key\n");
    Path file =
        Files.writeString(
            folder.resolve("ron.toml"), toml.replace("/etc/ron/", folder.toString() + "/"));
    return NodeSettings.load(Map.of(), Map.of(), Optional.of(file)).catalogue();
  }

  private static List<Declaration> declarations() {
    return NodeSettings.load(Map.of(), Map.of(), Optional.empty()).catalogue().declarations();
  }

  /** Every key that has a default, as a file that says what would hold without it. */
  private static String defaults() {
    var sections = new LinkedHashMap<String, List<String>>();
    for (Declaration key : declarations()) {
      if (!key.path().contains("[]") && !NOTHING.contains(key.fallback())) {
        int dot = key.path().lastIndexOf('.');
        sections
            .computeIfAbsent(dot < 0 ? "" : key.path().substring(0, dot), _ -> new ArrayList<>())
            .add(key.path().substring(dot + 1) + " = " + Literal.toml(key.fallback()));
      }
    }
    return sections.entrySet().stream()
        .map(
            each ->
                (each.getKey().isEmpty() ? "" : "[" + each.getKey() + "]\n")
                    + String.join("\n", each.getValue())
                    + "\n")
        .collect(Collectors.joining("\n"));
  }

  @Test
  void everyExampleIsAFileThatANodeReads() throws Exception {
    var shown = new HashSet<String>();
    int files = 0;
    for (var file = FILE.matcher(examples()); file.find(); files++) {
      read(file.group(1)).entries().stream()
          .filter(entry -> !(entry.origin() instanceof ValueOrigin.Default))
          .forEach(entry -> shown.add(entry.declaration().path()));
      Pattern.compile("(?m)^\\[\\[([a-z.]+)]]$")
          .matcher(file.group(1))
          .results()
          .forEach(table -> shown.add(table.group(1)));
    }
    assertThat(files).isGreaterThan(5);
    var missing = new TreeSet<String>();
    for (Declaration key : declarations()) {
      if (NOTHING.contains(key.fallback()) && !shown.contains(key.path())) {
        missing.add(key.path());
      }
    }
    assertThat(missing).as("keys without a default, and without an example").isEmpty();
  }

  @Test
  void theDefaultsWrittenDownAreTheDefaults() throws Exception {
    ConfigCatalogue written = read(defaults());
    assertThat(written.weakened()).isEmpty();
    for (var entry : written.entries()) {
      assertThat(entry.text())
          .as(entry.path())
          .isEqualTo(Literal.toml(entry.declaration().fallback()));
    }
  }

  @Test
  void thePageIsTheOneInTheCode() throws Exception {
    Said said = Said.by("config", "--reference");
    assertThat(said.exit()).as(said.err()).isZero();
    Golden.matches(
        "docs/configuration.md",
        """
        # Configuration

        Flags win over environment variables (`RON_NODE__BASE_PORT`), those over the TOML file, that over
        the defaults. `ron config` shows every value and where it came from. This page is generated; the
        [examples](#examples) are read by a test, and so are the [defaults](#defaults) as a file.

        """
            + said.out().strip()
            + "\n\n## Examples\n\n"
            + examples().strip()
            + "\n\n## Defaults\n\nWhat holds without a file, as a file:\n\n```toml\n"
            + defaults()
            + "```\n");
  }
}
