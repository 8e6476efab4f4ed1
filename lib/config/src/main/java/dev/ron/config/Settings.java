package dev.ron.config;

import dev.ron.config.source.ConfigProblem;
import dev.ron.config.source.ConfigSource;
import dev.ron.config.source.Environment;
import dev.ron.config.source.Flags;
import dev.ron.config.source.TomlFile;
import dev.ron.config.value.RawValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Everything an operator configured, from all sources: flags win over environment variables, those
 * over the TOML file, that over the defaults.
 *
 * <pre>{@code
 * var settings = Settings.load(flags, System.getenv(), Optional.of(Path.of("ron.toml")));
 * var mailbox = settings.read("mailbox", MailboxConfig::read);
 * var edge = settings.read("edge", EdgeConfig::read);
 * settings.check();                       // every problem of every section at once
 * start(mailbox.value(), edge.value());
 * }</pre>
 *
 * <p>All sections must be read before the check, also those of services that will not run: a
 * section that was not read is an unknown one.
 *
 * <p>Threading: owned by the thread that reads it; what it hands out is immutable.
 */
public final class Settings {
  private static final String DANGER_OK = "danger_ok";

  private final ConfigRegistry registry;
  private final Flags flags;
  private final Environment environment;
  private final TomlFile file;
  private final Section root;
  private final boolean dangerOkEverywhere;
  private final Map<String, Section> sections = new HashMap<>();

  public Settings(Flags flags, Environment environment, TomlFile file) {
    this.registry = new ConfigRegistry(file.problems().isEmpty());
    this.flags = flags;
    this.environment = environment;
    this.file = file;
    // The key that decides about the root's own keys is read before them, from a section of its
    // own.
    this.dangerOkEverywhere =
        new Section(registry, scope("", false))
            .key(DANGER_OK, false)
            .doc("Allows values weaker than the hardened defaults, in every section.")
            .live()
            .bool();
    this.root = new Section(registry, scope("", dangerOkEverywhere));
  }

  /**
   * Reads the sources. That the file is missing or broken is a problem like any other, and waits
   * for {@link #check}.
   *
   * @param flags by the path of their key
   */
  public static Settings load(
      Map<String, String> flags, Map<String, String> environment, Optional<Path> file) {
    return load(new Flags(flags), environment, file);
  }

  /** Like the other, with values that a command derived. */
  public static Settings load(Flags flags, Map<String, String> environment, Optional<Path> file) {
    return new Settings(
        flags, new Environment(environment), file.map(TomlFile::load).orElseGet(TomlFile::none));
  }

  /** The keys that stand before the first table. */
  public Section root() {
    return root;
  }

  /** A table at the top, {@code [mailbox]}. It has a key {@code danger_ok} of its own. */
  public Section section(String name) {
    if (name.contains(".")) {
      throw new IllegalStateException(name + " is not at the top: ask its section for it");
    }
    return sections.computeIfAbsent(
        name,
        _ -> {
          boolean dangerOk =
              root.section(name)
                  .key(DANGER_OK, false)
                  .doc("Allows values weaker than the hardened defaults, in this section.")
                  .live()
                  .bool();
          return new Section(registry, scope(name, dangerOk || dangerOkEverywhere));
        });
  }

  private SectionScope scope(String path, boolean dangerOk) {
    return SectionScope.single(path, this::find, dangerOk);
  }

  private @Nullable RawValue find(String path) {
    for (ConfigSource source : List.of(flags, environment, file)) {
      RawValue raw = source.find(path);
      if (raw != null) {
        return raw;
      }
    }
    return null;
  }

  /** Reads a config from its section. What its record refuses becomes a problem. */
  public <T> Draft<T> read(String section, Function<Section, T> reader) {
    return read(section(section), reader);
  }

  /** Reads what stands before the first table, or is an array of tables of its own. */
  public <T> Draft<T> readRoot(Function<Section, T> reader) {
    return read(root, reader);
  }

  private <T> Draft<T> read(Section at, Function<Section, T> reader) {
    try {
      return new Draft<>(this, reader.apply(at));
    } catch (IllegalArgumentException e) {
      registry.refused(at.scope(), e);
      return new Draft<>(this, null);
    }
  }

  /** Everything wrong, in the order it was met; keys that were not read come last. */
  public List<ConfigProblem> problems() {
    var problems = new ArrayList<>(file.problems());
    problems.addAll(registry.problems());
    problems.addAll(UnknownKeys.find(registry, flags, environment, file));
    return List.copyOf(problems);
  }

  /** Throws {@link ConfigFault} with every problem, if there is one. */
  public void check() {
    List<ConfigProblem> problems = problems();
    if (!problems.isEmpty()) {
      throw new ConfigFault(problems);
    }
  }

  /** Every key read so far, with its value and where that came from. */
  public ConfigCatalogue catalogue() {
    return registry.catalogue();
  }
}
