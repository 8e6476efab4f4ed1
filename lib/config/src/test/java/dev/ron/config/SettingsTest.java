package dev.ron.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.config.source.Environment;
import dev.ron.config.source.Flags;
import dev.ron.config.source.Sample;
import dev.ron.config.source.TomlFile;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      textBlock =
          """
          # flag | variable | file | value | from
            -    | -        | -    | 8     | default
            -    | -        | 4    | 4     | ron.toml:2:1
            -    | 3        | -    | 3     | RON_SAMPLE__SHARD_COUNT
            -    | 3        | 4    | 3     | RON_SAMPLE__SHARD_COUNT
            2    | -        | -    | 2     | --set sample.shard_count
            2    | -        | 4    | 2     | --set sample.shard_count
            2    | 3        | -    | 2     | --set sample.shard_count
            2    | 3        | 4    | 2     | --set sample.shard_count
          """,
      delimiter = '|')
  void flagsWinOverTheEnvironmentThatOverTheFileThatOverTheDefaults(
      String flag, String variable, String file, int value, String from) {
    var sample =
        Sample.of(
            flag == null ? Map.of() : Map.of("sample.shard_count", flag),
            variable == null ? Map.of() : Map.of("RON_SAMPLE__SHARD_COUNT", variable),
            file == null ? "" : "[sample]\nshard_count = " + file);
    assertThat(sample.config().shardCount()).isEqualTo(value);
    assertThat(sample.catalogue().entry("sample.shard_count").orElseThrow().origin().place())
        .isEqualTo(from);
  }

  /** What follows from a cluster was given by no flag, and is no problem of one. */
  @Test
  void aDerivedValueNamesWhatItFollowsFrom() {
    Flags derived =
        Flags.derived(
            Map.of("sample.shard_count", "4", "sample.amnesia", "maybe", "sample.flsh", "x"),
            "the cluster");
    var settings =
        new Settings(
            derived.under(new Flags(Map.of("sample.amnesia", "perhaps"))),
            new Environment(Map.of("RON_SAMPLE__SHARD_COUNT", "2")),
            TomlFile.none());
    settings.read("sample", SampleConfig::read);
    assertThat(settings.catalogue().entry("sample.shard_count").orElseThrow())
        .extracting(ConfigEntry::text, entry -> entry.origin().place())
        .containsExactly("4", "the cluster");
    assertThat(settings.problems().stream().map(Object::toString).toList())
        .contains("the cluster: sample.flsh is not a known key; did you mean sample.flush?")
        .anyMatch(each -> each.startsWith("--set sample.amnesia: sample.amnesia = \"perhaps\": "));
  }

  @Test
  void everyProblemIsReportedInOneGo() {
    var sample =
        Sample.of(
            Map.of("sample.shard_count", "many", "sample.flsh", "always"),
            Map.of("RON_SAMPLE__AMNESIA", "yes", "RON_SAMPLE__BNID", "x"),
            """
            [sample]
            bind = "localhost"
            visibilty_min = "1s"
            [sample.limits]
            body_bytes = "2MiB"
            [[sample.routes]]
            prefix = "api"
            upstreams = []
            [[sample.routes]]
            """);
    assertThat(sample.problems())
        .isEqualTo(
            """
            ron.toml:2:1: sample.bind = "localhost": must be host:port, as in 127.0.0.1:8082 or [::1]:8082; port 0 takes a free one
            --set sample.shard_count: sample.shard_count = "many": must be a whole number
            RON_SAMPLE__AMNESIA: sample.amnesia = "yes": must be true or false
            ron.toml:5:1: sample.limits.body_bytes = "2MiB" is weaker than the hardened default "1MiB"; to allow it set danger_ok = true in [sample] or at the top of the file
            ron.toml:7:1: sample.routes[0]: prefix must begin with /: prefix = "api" (prefix from ron.toml:7:1)
            ron.toml:9:1: sample.routes[1].prefix is required: text, as in "/api"
            ron.toml:9:1: sample.routes[1].upstreams is required: list of text, as in ["http://127.0.0.1:9000"]
            --set sample.flsh: is not a known key; did you mean sample.flush?
            RON_SAMPLE__BNID: is not a known variable; did you mean RON_SAMPLE__BIND?
            ron.toml:3:1: sample.visibilty_min is not a known key; did you mean sample.visibility_min?"""
                .stripIndent());
    assertThatThrownBy(sample::config)
        .isInstanceOf(ConfigFault.class)
        .hasMessageStartingWith("the configuration has 10 problems:\n  ron.toml:2:1: sample.bind");
  }

  @Test
  void noDraftIsHandedOutWhileAnythingIsWrongAnywhere() {
    var sample = Sample.toml("[other]\nkey = 1");
    assertThatThrownBy(sample::config).isInstanceOf(ConfigFault.class);
    sample.settings().section("other").key("key", 2).doc("Read late.").integer(0, 9);
    assertThat(sample.config().shardCount()).isEqualTo(8);
  }

  @Test
  void aRuleBetweenTwoKeysNamesBothValuesAndTheirPlaces() {
    assertThat(Sample.toml("[sample]\nvisibility_min = \"10s\"").problems())
        .isEqualTo(
            "ron.toml:2:1: sample: visibility_min must not be longer than visibility_default:"
                + " visibility_min = 10s, visibility_default = 5s"
                + " (visibility_min from ron.toml:2:1, visibility_default from default)");
  }

  @Test
  void aRuleIsNotBlamedOnTheStandInForAValueThatCouldNotBeRead() {
    assertThat(
            Sample.toml("[sample]\nvisibility_min = \"10s\"\nvisibility_default = \"2h\"")
                .problems())
        .isEqualTo("ron.toml:3:1: sample.visibility_default = \"2h\": must be from 1ms to 1h");
  }

  @Test
  void aBrokenFileIsNotBlamedOnTheOtherSources() {
    var sample =
        Sample.of(
            Map.of("sample.visibility_min", "10s"),
            Map.of("RON_SAMPLE__RPS", "1"),
            "[sample]\nvisibility_default = \"20s\"\nshard_count = = 4\n");
    sample.settings().section("sample").required("name", "a").doc("Its name.").text();
    assertThat(sample.problems().lines())
        .hasSize(2)
        .anySatisfy(line -> assertThat(line).startsWith("ron.toml:3:15: Unexpected '='"))
        .anySatisfy(line -> assertThat(line).startsWith("RON_SAMPLE__RPS: is not a known"));
  }

  @Test
  void keysBeforeTheFirstTableHaveVariablesAndFlagsToo() {
    var settings =
        new Settings(
            new Flags(Map.of("profile", "macronode")),
            new Environment(Map.of("RON_DATA", "/tmp/ron", "RON_HOME", "not ours")),
            TomlFile.parse("ron.toml", "limits = \"open\""));
    assertThat(settings.root().key("profile", "micronode").doc("Size.").text())
        .isEqualTo("macronode");
    assertThat(settings.root().key("data", "./data").doc("Where.").path()).hasToString("/tmp/ron");
    assertThat(settings.root().key("limits", "hardened").doc("Caps.").text()).isEqualTo("open");
    assertThat(settings.problems()).isEmpty();
  }

  @Test
  void noSourceAtAllIsFine() {
    var settings = Settings.load(Map.of(), Map.of(), Optional.empty());
    settings.read("sample", SampleConfig::read);
    settings.check();
  }

  @ParameterizedTest
  @CsvSource({"Bind", "bind-address", "a__b", "_a", "a_", "a..b", "''", "1a"})
  void aNameThatAVariableCouldNotSpellIsRefusedToItsAuthor(String name) {
    var section = Settings.load(Map.of(), Map.of(), Optional.empty()).section("sample");
    assertThatThrownBy(() -> section.key(name, 1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void mistakesOfTheAuthorAreNotProblemsOfTheOperator() {
    var section = Settings.load(Map.of(), Map.of(), Optional.empty()).section("sample");
    section.key("twice", 1).doc("Once.").integer(0, 9);
    assertThatThrownBy(() -> section.key("twice", 1).doc("Again.").integer(0, 9))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the key sample.twice is declared twice");
    assertThatThrownBy(() -> section.key("wordless", 1).integer(0, 9))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the key sample.wordless has no doc");
    assertThatThrownBy(() -> section.key("wild", 10).doc("Out of bounds.").integer(0, 9))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the default of sample.wild must be from 0 to 9");
    assertThatThrownBy(
            () -> section.key("guard", "a").doc("No order.").hardened(WeakerValues.HIGHER).text())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a text has no order; use Weaker.OTHER");
  }
}
