package dev.ron.config;

import java.util.Map;

/** Settings from text, with the sample read from the section {@code sample}. */
record Sample(Settings settings, Draft<SampleConfig> draft) {
  static Sample of(Map<String, String> flags, Map<String, String> environment, String toml) {
    var settings =
        new Settings(
            new Flags(flags), new Environment(environment), TomlFile.parse("ron.toml", toml));
    return new Sample(settings, settings.read("sample", SampleConfig::read));
  }

  static Sample toml(String toml) {
    return of(Map.of(), Map.of(), toml);
  }

  SampleConfig config() {
    return draft.value();
  }

  /** One problem a line, as an operator sees them. */
  String problems() {
    return String.join("\n", settings.problems().stream().map(Problem::toString).toList());
  }

  Catalogue catalogue() {
    return settings.catalogue();
  }
}
