package dev.ron.node.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ron.config.ConfigFault;
import dev.ron.node.NodeSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where spans go, and what is said of settings that cannot hold. */
final class TracesConfigTest {
  @TempDir private Path folder;

  private static TracesConfig read(String... settings) {
    var flags = new java.util.HashMap<String, String>();
    for (int i = 0; i < settings.length; i += 2) {
      flags.put("traces." + settings[i], settings[i + 1]);
    }
    return NodeSettings.load(flags, Map.of(), Optional.empty()).traces();
  }

  @Test
  void nothingIsTracedUntilACollectorIsNamed() {
    assertThat(read().isOn()).isFalse();
    assertThat(read()).isEqualTo(new TracesConfig("", 1, java.util.List.of(), 4096));
  }

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:4318,         http://127.0.0.1:4318/v1/traces",
    "http://127.0.0.1:4318/,        http://127.0.0.1:4318/v1/traces",
    "https://otel.example.org,      https://otel.example.org/v1/traces",
    "https://t.example.org/a/otlp,  https://t.example.org/a/otlp",
  })
  void anAddressWithoutAPathGetsTheProtocolsOwn(String endpoint, String asked) {
    assertThat(read("endpoint", endpoint).uri()).hasToString(asked);
  }

  @ParameterizedTest
  @CsvSource({
    "endpoint, 127.0.0.1:4318,          is no http or https address of a collector",
    "endpoint, grpc://127.0.0.1:4317,   is no http or https address of a collector",
    "endpoint, http://me:secret@host,   is no http or https address of a collector",
    "sample,   1.5,                     sample",
    "header,   Bearer s3cr3t,           `Name: value`",
    "headers_file, /nowhere/at-all,     cannot be read",
  })
  void whatCannotHoldIsNamedAndNoSecretIsShown(String key, String value, String said) {
    ConfigFault fault = catchThrowableOfType(ConfigFault.class, () -> read(key, value));
    assertThat(fault).hasMessageContaining(said).hasMessageContaining("traces");
    assertThat(fault.getMessage()).doesNotContain("s3cr3t");
  }

  @Test
  void fieldsComeFromTheSettingAndTheFile() throws Exception {
    Path file =
        Files.writeString(folder.resolve("headers"), "# the collector's\n\nX-Org: 7\nX-Key:a:b\n");
    TracesConfig config =
        read("header", "Authorization: Bearer t", "headers_file", file.toString());
    assertThat(config.fields().toString()).contains("X-Org", "X-Key");
    assertThat(config.fields().first("Authorization")).isEqualTo("Bearer t");
    assertThat(config.fields().first("X-Key")).isEqualTo("a:b");
    assertThat(config.toString()).doesNotContain("Bearer t", "a:b");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{}; 0",
        "{\"partialSuccess\":{}}; 0",
        "{\"partialSuccess\":{\"rejectedSpans\":\"3\",\"errorMessage\":\"no\"}}; 3",
        "{\"partialSuccess\":{\"rejectedSpans\":4}}; 4",
        "{\"partialSuccess\":{\"rejectedSpans\":\"-4\"}}; 0",
        "{\"partialSuccess\":{\"rejectedSpans\":\"many\"}}; 0",
        "not json; 0",
      })
  void aPartialSuccessIsRead(String answer, long rejected) {
    assertThat(Collector.rejected(answer.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
        .isEqualTo(rejected);
  }
}
