package dev.ron.config.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.config.ConfigFault;

/** Whatever a configuration file says, it is read or refused with a place in the file. */
class TomlFuzzTest {
  @FuzzTest(maxDuration = "2m")
  void toml(byte[] bytes) {
    try {
      TomlFile file = TomlFile.parse("ron.toml", new String(bytes, UTF_8));
      assertThat(file).isNotNull();
    } catch (ConfigFault refused) {
      assertThat(refused.getMessage()).contains("ron.toml");
    }
  }
}
