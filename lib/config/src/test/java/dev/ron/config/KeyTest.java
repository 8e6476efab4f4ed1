package dev.ron.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.config.source.Environment;
import dev.ron.config.source.Sample;
import dev.ron.config.value.HostPort;
import dev.ron.config.value.Literal;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyTest {
  /** Each form in the file, and as a variable where {@code text} is not empty. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # key             | in the file              | as text              | in effect
          bind              | "0.0.0.0:0"              | 0.0.0.0:0            | "0.0.0.0:0"
          bind              | "[::1]:80"               | [::1]:80             | "[::1]:80"
          shard_count       | 1024                     | 1024                 | 1024
          shard_count       | 0x10                     | +16                  | 16
          global_inflight   | 1_000_000                | 1000000              | 1000000
          visibility_min    | "1000ms"                 | 1000ms               | "1s"
          visibility_min    | "0s"                     | 0ms                  | "0s"
          flush             | "interval"               | interval             | "interval"
          amnesia           | true                     | true                 | true
          hedge_budget      | 0.1                      | 0.1                  | 0.1
          hedge_budget      | 0.10                     | 0.100                | 0.1
          hedge_budget      | 1                        | 1                    | 1
          hedge_budget      | 1e-8                     | 0.00000001           | 0.00000001
          hedge_budget      | "0.12345678901234567890" | 0.1234567890123456789 | 0.1234567890123456789
          repair_rate       | "1024KiB/s"              | 1024KiB/s            | "1MiB/s"
          data              | "/var/lib/ron"           | /var/lib/ron         | "/var/lib/ron"
          certificate       | "./tls.pem"              | ./tls.pem            | "./tls.pem"
          certificate       | ""                       | ``                   | ""
          origins           | ["a", "b"]               | a, b                 | ["a", "b"]
          origins           | ["a,b"]                  | ["a,b"]              | ["a,b"]
          origins           | []                       | ``                   | []
          token             | "hunter2"                | hunter2              | "***"
          token             | ""                       | ``                   | ""
          limits.body_bytes | "0B"                     | 0B                   | "0B"
          drr.tenant_quanta | { acme = 3, b = 1 }      | acme=3, b=1          | { acme = 3, b = 1 }
          drr.tenant_quanta | { acme = 3 }             | { acme = 3 }         | { acme = 3 }
          drr.tenant_quanta | {}                       | ``                   | {}
          peers             | { a = "http://h:1?x=y" } | a=http://h:1?x=y     | { a = "http://h:1?x=y" }
          """)
  void goodForms(String key, String inFile, String asText, String shown) {
    var fromFile = Sample.toml("sample." + key + " = " + inFile);
    var fromVariable = Sample.of(Map.of(), Map.of(Environment.name("sample." + key), asText), "");
    var fromFlag = Sample.of(Map.of("sample." + key, asText), Map.of(), "");
    for (Sample sample : List.of(fromFile, fromVariable, fromFlag)) {
      assertThat(sample.problems()).isEmpty();
      assertThat(sample.catalogue().entry("sample." + key).orElseThrow().text()).isEqualTo(shown);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          bind              | 8080                 | must be text in quotes, not an integer
          bind              | "[::1]"              | must be host:port, as in 127.0.0.1:8082 or [::1]:8082; port 0 takes a free one
          shard_count       | 0                    | must be from 1 to 1024
          shard_count       | 1025                 | must be from 1 to 1024
          shard_count       | "8"                  | must be a whole number, without quotes
          shard_count       | 8.0                  | must be a whole number
          shard_count       | [8]                  | must be a whole number
          global_inflight   | 1099511627777        | must be from 1 to 1099511627776
          visibility_min    | 250                  | needs a unit and quotes, as in "5s"
          visibility_min    | 0.25                 | needs a unit and quotes, as in "5s"
          visibility_min    | 07:32:00             | must be text in quotes, not a date or time
          visibility_default | "0s"                | must be from 1ms to 1h
          flush             | "Always"             | must be one of always, interval; did you mean always?
          flush             | "intervall"          | must be one of always, interval; did you mean interval?
          amnesia           | "true"               | must be true or false, without quotes
          amnesia           | 1                    | must be true or false
          hedge_budget      | 1.01                 | must be from 0 to 1
          hedge_budget      | nan                  | must be a decimal number, as in 0.02
          hedge_budget      | inf                  | must be a decimal number, as in 0.02
          hedge_budget      | "1e9"                | must be a decimal number, as in 0.02
          hedge_budget      | 0.12345678901234567  | has more than 15 digits; put it in quotes to keep them all
          repair_rate       | "50MiB"              | must be a rate: a size and /s, as in 50MiB/s
          repair_rate       | 50                   | needs a unit and quotes, as in "50MiB/s"
          data              | ""                   | must not be empty
          data              | "a\\u0000b"          | is not a path: Nul character not allowed
          origins           | "a"                  | must be a list, as in ["a", "b"]
          origins           | ["a", 1]             | item 1 must be text in quotes, not an integer
          limits.body_bytes | 1048576              | needs a unit and quotes, as in "64KiB"
          drr.tenant_quanta | { acme = 0 }         | acme 0 must be from 1 to 1000
          drr.tenant_quanta | { acme = "3" }       | acme "3" must be a whole number, without quotes
          drr.tenant_quanta | 3                    | must be a table, as in { a = ... }
          peers             | { a = { b = "c" } }  | a { b = "c" } must be text in quotes, not a table
          routes            | "x"                  | must be an array of tables, not text
          routes            | [{prefix="/"}, 1]    | must be an array of tables; item 1 is none
          """)
  void badForms(String key, String inFile, String why) {
    var sample = Sample.toml("[sample]\n\n" + key + " = " + inFile);
    assertThat(sample.problems())
        .startsWith("ron.toml:3:1: sample." + key)
        .endsWith(": " + why)
        .hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          shard_count       | 8 shards             | must be a whole number
          shard_count       | ``                   | must be a whole number
          global_inflight   | 9223372036854775808  | must be a whole number below 2^63
          amnesia           | TRUE                 | must be true or false
          hedge_budget      | .5                   | must be a decimal number, as in 0.02
          origins           | ["a"                 | is not TOML: Invalid value: Unexpected end of input, expected ] or a comma
          drr.tenant_quanta | acme                 | must be a table, as in a=1,b=2 or { a = 1, b = 2 }
          drr.tenant_quanta | acme=1,acme=2        | names acme twice
          drr.tenant_quanta | acme=x               | acme "x" must be a whole number
          drr.tenant_quanta | { acme = "3" }       | acme "3" must be a whole number, without quotes
          """)
  void badText(String key, String text, String why) {
    String name = Environment.name("sample." + key);
    assertThat(Sample.of(Map.of(), Map.of(name, text), "").problems())
        .isEqualTo(name + ": sample." + key + " = " + Literal.toml(text) + ": " + why);
  }

  @Test
  void typedValuesReachTheRecord() {
    SampleConfig config =
        Sample.toml(
                """
                [sample]
                bind = "[::1]:0"
                hedge_budget = 0.05
                certificate = "tls/cert.pem"
                token = "hunter2"
                peers = { b = "x", a = "y" }
                """)
            .config();
    assertThat(config.bind()).isEqualTo(new HostPort("::1", 0));
    assertThat(config.hedgeBudget()).isEqualTo(new BigDecimal("0.05"));
    assertThat(config.certificate()).isEqualTo(Optional.of(Path.of("tls/cert.pem")));
    assertThat(config.token().reveal()).isEqualTo("hunter2");
    assertThat(config.peers().keySet()).containsExactly("b", "a");
  }

  @Test
  void aSecretIsShownNowhere() {
    var sample = Sample.toml("[sample]\ntoken = \"hunter2\"");
    var wrong = Sample.toml("[sample]\ntoken = [\"hunter2\"]");
    assertThat(wrong.problems())
        .isEqualTo("ron.toml:2:1: sample.token = ***: must be text in quotes, not a list");
    var changed =
        Reload.of(sample.catalogue(), Sample.toml("sample.token = \"other2\"").settings());
    assertThat(changed.needsRestart()).hasSize(1);
    assertThat(
            sample.catalogue().table()
                + sample.catalogue().json()
                + sample.catalogue()
                + sample.config()
                + changed
                + changed.report())
        .doesNotContain("hunter2")
        .doesNotContain("other2")
        .contains("***");
  }

  @Test
  void aLongOrHostileValueCannotPaintOverItsMessage() {
    assertThat(Sample.toml("sample.flush = \"\\u001b[2J\\u202e\"").problems())
        .isEqualTo(
            "ron.toml:1:1: sample.flush = \"\\u001b[2J\\u202e\":"
                + " must be one of always, interval; did you mean always?");
    assertThat(Sample.toml("sample.flush = \"" + "x".repeat(5000) + "\"").problems())
        .hasSizeLessThan(300)
        .contains("x… (5002 characters)");
  }
}
