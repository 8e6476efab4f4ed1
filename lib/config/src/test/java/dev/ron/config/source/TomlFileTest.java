package dev.ron.config.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.config.ConfigFault;
import dev.ron.config.SampleConfig;
import dev.ron.config.Seed;
import dev.ron.config.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TomlFileTest {
  @TempDir private Path directory;

  private String faultOf(byte[] bytes) throws IOException {
    Path file = Files.write(directory.resolve("ron.toml"), bytes);
    return faultOf(file);
  }

  private String faultOf(Path file) {
    var settings = Settings.load(Map.of(), Map.of(), Optional.of(file));
    settings.read("sample", SampleConfig::read);
    try {
      settings.check();
    } catch (ConfigFault fault) {
      return String.valueOf(fault.getMessage()).replace(directory + "/", "");
    }
    throw new AssertionError("no fault");
  }

  private String faultOf(String toml) throws IOException {
    return faultOf(toml.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aFileIsReadFromDisk() throws IOException {
    Path file = Files.writeString(directory.resolve("ron.toml"), "[sample]\nshard_count = 3\n");
    var settings = Settings.load(Map.of(), Map.of(), Optional.of(file));
    assertThat(settings.read("sample", SampleConfig::read).value().shardCount()).isEqualTo(3);
  }

  @Test
  void aMissingFileIsAFault() {
    assertThat(faultOf(directory.resolve("none.toml")))
        .isEqualTo("the configuration has 1 problem:\n  none.toml: there is no such file");
  }

  @Test
  void aDirectoryIsAFault() {
    assertThat(faultOf(directory)).contains("cannot be read: ");
  }

  @Test
  void aHugeFileIsAFault() throws IOException {
    byte[] bytes = "#".repeat(TomlFile.BYTES_MAX).getBytes(StandardCharsets.UTF_8);
    Path file = Files.write(directory.resolve("ron.toml"), bytes);
    Settings.load(Map.of(), Map.of(), Optional.of(file)).check();
    assertThat(faultOf(new byte[TomlFile.BYTES_MAX + 1])).endsWith("ron.toml: is larger than 1MiB");
  }

  @ParameterizedTest
  @CsvSource({"15, false", "18, true", "10000, true"})
  void aDeepFileIsAFault(int depth, boolean isTooDeep) throws IOException {
    String tooDeep = "Nesting is too deep (more than 16 levels of tables and arrays)";
    for (String toml :
        new String[] {
          "a = " + "[".repeat(depth) + "]".repeat(depth),
          "a = " + "{b=".repeat(depth) + "1" + "}".repeat(depth),
          "a" + ".b".repeat(depth) + " = 1",
          "[a" + ".b".repeat(depth) + "]",
        }) {
      assertThat(faultOf(toml).contains(tooDeep)).as(toml.substring(0, 9)).isEqualTo(isTooDeep);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a = 1\\na = 2                  | ron.toml:2:1: a previously defined at line 1, column 1
          [a]\\n[b]\\n[a]                | ron.toml:3:1: a previously defined at line 1, column 1
          a = 1\\na.b = 2                | ron.toml:2:1: a is not a table (previously defined at line 1, column 1)
          a = 9223372036854775808        | ron.toml:1:5: Integer is too large
          a = \\n                        | ron.toml:1:5: Unexpected end of line, expected a value
          """)
  void aBrokenFileIsAFaultWithThePlace(String toml, String problem) throws IOException {
    assertThat(faultOf(toml.replace("\\n", "\n")))
        .isEqualTo("the configuration has 1 problem:\n  " + problem);
  }

  @Test
  void allErrorsOfTheFileAreToldInItsOrder() throws IOException {
    assertThat(faultOf("a = 1\na = 2\nb = \nc = 3 4\n").lines())
        .hasSize(4)
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("the configuration has 3 problems:"),
            line -> assertThat(line).startsWith("  ron.toml:2:1: a previously"),
            line -> assertThat(line).startsWith("  ron.toml:3:5: Unexpected end of line"),
            line -> assertThat(line).startsWith("  ron.toml:4:7: Unexpected '4'"));
  }

  @Test
  void bytesThatAreNotUtf8AreAFaultWithThePlace() throws IOException {
    assertThat(faultOf("a = 1\nb = \"\u00e4\"\n".getBytes(StandardCharsets.ISO_8859_1)))
        .endsWith("ron.toml:2:6: is not UTF-8");
    assertThat(faultOf(new byte[] {(byte) 0xc3})).endsWith("ron.toml:1:1: is not UTF-8");
    assertThat(faultOf(new byte[] {'#', (byte) 0xed, (byte) 0xa0, (byte) 0x80}))
        .endsWith("ron.toml:1:2: is not UTF-8");
  }

  @Test
  void noiseIsAFaultAndNothingWorse() throws IOException {
    var seed = Seed.fresh();
    var random = seed.random();
    String alphabet = "ab.=[]{}\"'#\n\\ 0123e+-:,_truefalse\u00e4\u0000";
    for (int i = 0; i < 300; i++) {
      var noise = new StringBuilder();
      for (int length = random.nextInt(200); length > 0; length--) {
        noise.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      var sample = Sample.toml(noise.toString());
      assertThat(sample.settings().problems().isEmpty() || faults(sample))
          .as(seed + "\n" + noise)
          .isTrue();
    }
  }

  private static boolean faults(Sample sample) {
    assertThatThrownBy(sample::config).isInstanceOf(ConfigFault.class);
    return true;
  }
}
