package dev.ron.config.source;

import dev.ron.config.ConfigCatalogue;
import dev.ron.config.Draft;
import dev.ron.config.SampleConfig;
import dev.ron.config.Settings;
import java.util.Map;

/** Settings from text, with the sample read from the section {@code sample}. */
public record Sample(Settings settings, Draft<SampleConfig> draft) {
  public static Sample of(Map<String, String> flags, Map<String, String> environment, String toml) {
    var settings =
        new Settings(
            new Flags(flags), new Environment(environment), TomlFile.parse("ron.toml", toml));
    return new Sample(settings, settings.read("sample", SampleConfig::read));
  }

  public static Sample toml(String toml) {
    return of(Map.of(), Map.of(), toml);
  }

  public SampleConfig config() {
    return draft.value();
  }

  /** One problem a line, as an operator sees them. */
  public String problems() {
    return String.join("\n", settings.problems().stream().map(ConfigProblem::toString).toList());
  }

  public ConfigCatalogue catalogue() {
    return settings.catalogue();
  }
}
