package dev.ron.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.config.source.Sample;
import dev.ron.config.value.NumberTypes;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WeakerValuesTest {
  @ParameterizedTest
  @CsvSource({
    "HIGHER,         10,  9, false",
    "HIGHER,         10, 10, false",
    "HIGHER,         10, 11, true",
    "HIGHER,         10,  0, false",
    "LOWER,          10,  9, true",
    "LOWER,          10, 10, false",
    "LOWER,          10, 11, false",
    "HIGHER_OR_ZERO, 10,  0, true",
    "HIGHER_OR_ZERO, 10,  1, false",
    "HIGHER_OR_ZERO, 10, 10, false",
    "HIGHER_OR_ZERO, 10, 11, true",
    "HIGHER_OR_ZERO,  0, 11, false",
    "HIGHER_OR_ZERO,  0,  0, false",
    "OTHER,          10,  9, true",
    "OTHER,          10, 10, false",
    "OTHER,          10, 11, true",
  })
  void isWeaker(WeakerValues weaker, long fallback, long value, boolean isWeaker) {
    assertThat(weaker.isWeaker(value, fallback, NumberTypes.LONG)).isEqualTo(isWeaker);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # how it is allowed                | allowed
          other = 1                          | false
          danger_ok = true                   | true
          danger_ok = false                  | false
          sample.danger_ok = true            | true
          sample.danger_ok = false           | false
          neighbour.danger_ok = true         | false
          """)
  void aWeakerValueNeedsLeaveFromItsSectionOrFromTheTop(String leave, boolean isAllowed) {
    var sample = Sample.toml(leave + "\nsample.limits.rps = 0");
    sample.settings().section("neighbour");
    sample.settings().root().key("other", 0).doc("Other.").integer(0, 1);
    assertThat(sample.problems())
        .isEqualTo(
            isAllowed
                ? ""
                : "ron.toml:2:1: sample.limits.rps = 0 is weaker than the hardened default 500;"
                    + " to allow it set danger_ok = true in [sample] or at the top of the file");
    assertThat(sample.catalogue().weakened())
        .extracting(ConfigEntry::path)
        .containsExactly("sample.limits.rps");
  }

  @Test
  void leaveCanComeFromAnySource() {
    String weak = "sample.limits.body_bytes = \"2MiB\"";
    assertThat(Sample.of(Map.of(), Map.of("RON_SAMPLE__DANGER_OK", "true"), weak).problems())
        .isEmpty();
    assertThat(Sample.of(Map.of("danger_ok", "true"), Map.of(), weak).problems()).isEmpty();
    assertThat(
            Sample.of(
                    Map.of("sample.danger_ok", "false"),
                    Map.of(),
                    "sample.danger_ok = true\n" + weak)
                .problems())
        .contains("is weaker than the hardened default \"1MiB\"");
  }

  @Test
  void tablesOfAnArrayAreGuardedToo() {
    String route =
        """
        [[sample.routes]]
        prefix = "/"
        upstreams = []
        auth = "none"
        """;
    assertThat(Sample.toml(route).problems())
        .isEqualTo(
            "ron.toml:4:1: sample.routes[0].auth = \"none\" is weaker than the hardened default"
                + " \"mutations\"; to allow it set danger_ok = true in [sample] or at the top of"
                + " the file");
    assertThat(Sample.toml("sample.danger_ok = true\n" + route).problems()).isEmpty();
  }

  @Test
  void keysBeforeTheFirstTableAreGuardedToo() {
    var sample = Sample.toml("limits = \"open\"");
    sample
        .settings()
        .root()
        .key("limits", "hardened")
        .doc("Caps.")
        .hardened(WeakerValues.OTHER)
        .text();
    assertThat(sample.problems())
        .isEqualTo(
            "ron.toml:1:1: limits = \"open\" is weaker than the hardened default \"hardened\";"
                + " to allow it set danger_ok = true at the top of the file");
  }
}
