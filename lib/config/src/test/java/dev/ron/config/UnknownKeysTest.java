package dev.ron.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.config.source.Sample;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnknownKeysTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          shard_cuont = 1                    | 1:1: shard_cuont is not a known key; the nearest known key is sample.shard_count
          sample.shard_cuont = 1             | 1:1: sample.shard_cuont is not a known key; did you mean sample.shard_count?
          sample.shards = 1                  | 1:1: sample.shards is not a known key; the nearest known key is sample.peers
          [smaple]                           | 1:1: smaple is not a known key; did you mean sample?
          [sample.limit]                     | 1:1: sample.limit is not a known key; did you mean sample.limits?
          sample.body_bytes = "1MiB"         | 1:1: sample.body_bytes is not a known key; the nearest known key is sample.limits.body_bytes
          sample.limits.danger_ok = true     | 1:1: sample.limits.danger_ok is not a known key; the nearest known key is sample.danger_ok
          sample."limits.rps" = 1            | 1:1: sample."limits.rps" is not a known key; did you mean sample.limits.rps?
          sample.limits = 3                  | 1:1: sample.limits is a table of keys, [sample.limits], and not a value
          sample = []                        | 1:1: sample is a table of keys, [sample], and not a value
          sample.drr = { quantum = 1 }       | 1:16: sample.drr.quantum is not a known key; the nearest known key is sample.data
          "\\u001b[2J" = 1                   | 1:1: "\\u001b[2J" is not a known key; the nearest known key is danger_ok
          """)
  void inTheFile(String toml, String problem) {
    assertThat(Sample.toml(toml).problems()).isEqualTo("ron.toml:" + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          RON_SAMPLE__SHARD_COUNT        | -
          RON_SAMPLE__LIMITS__BODY_BYTES | -
          RON_DANGER_OK                  | -
          RON_HOME                       | -
          SAMPLE__SHARD_COUNT            | -
          RON_SAMPLE_SHARD_COUNT         | is not a known variable; did you mean RON_SAMPLE__SHARD_COUNT?
          RON_SAMPLE__SHARD__COUNT       | is not a known variable; did you mean RON_SAMPLE__SHARD_COUNT?
          RON_SAMPLE__shard_count        | is not a known variable; the nearest known one is RON_SAMPLE__SHARD_COUNT
          RON_SMAPLE__FLUSH              | is not a known variable; did you mean RON_SAMPLE__FLUSH?
          RON_SAMPLE__ROUTES__0__PREFIX  | is not a known variable; the nearest known one is RON_SAMPLE__ROUTES
          RON_SAMPLE__PEERS__A           | is not a known variable; did you mean RON_SAMPLE__PEERS?
          """)
  void inTheEnvironment(String name, String problem) {
    String value = name.endsWith("BYTES") ? "1KiB" : name.endsWith("OK") ? "true" : "1";
    assertThat(Sample.of(Map.of(), Map.of(name, value), "").problems())
        .isEqualTo(problem == null ? "" : name + ": " + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sample.shard-count  | is not a known key; did you mean sample.shard_count?
          shard_count         | is not a known key; the nearest known key is sample.shard_count
          sample              | is not a known key; the nearest known key is sample.bind
          sample.routes[0].prefix | is not a known key; the nearest known key is sample.routes
          """)
  void inTheFlags(String name, String problem) {
    assertThat(Sample.of(Map.of(name, "1"), Map.of(), "").problems())
        .isEqualTo("--set " + name + ": " + problem);
  }

  @Test
  void inATableOfAnArray() {
    assertThat(
            Sample.toml(
                    """
                    [[sample.routes]]
                    prefix = "/a"
                    upstreams = []
                    [[sample.routes]]
                    prefix = "/b"
                    upstreams = []
                      retry = 3
                    """)
                .problems())
        .isEqualTo(
            "ron.toml:7:3: sample.routes[1].retry is not a known key;"
                + " the nearest known key is sample.routes[1].retries");
  }

  @Test
  void aWrongFileIsAFaultOfBoundedSize() {
    var toml = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      toml.append("key_").append(i).append(" = 1\n");
    }
    var fault = new ConfigFault(Sample.toml(toml.toString()).settings().problems());
    assertThat(fault.problems()).hasSize(20_000);
    assertThat(fault.getMessage()).hasLineCount(102).endsWith("and 19900 more");
  }
}
