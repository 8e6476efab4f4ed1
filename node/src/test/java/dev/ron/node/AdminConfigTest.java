package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.config.ConfigFault;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The admin door shows metrics without a capability, so it stays on this machine until two keys say
 * other.
 */
final class AdminConfigTest {
  private static NodeSettings load(Map<String, String> more) {
    return NodeSettings.load(new HashMap<>(more), Map.of(), Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "localhost:1"})
  void loopbackIsTaken(String bind) {
    assertThat(load(Map.of("admin.bind", bind)).admin().open()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0:1", "[::]:1", "10.0.0.1:1", "admin.example:1"})
  void anythingElseNeedsTwoWords(String bind) {
    assertThatThrownBy(() -> load(Map.of("admin.bind", bind)))
        .isInstanceOf(ConfigFault.class)
        .hasMessageContaining("registry without a capability")
        .hasMessageContaining("open = true and danger_ok = true in [admin]");
    assertThatThrownBy(() -> load(Map.of("admin.bind", bind, "admin.open", "true")))
        .isInstanceOf(ConfigFault.class)
        .hasMessageContaining("danger_ok");
  }

  @Test
  void withBothItOpens() {
    NodeSettings settings =
        load(Map.of("admin.bind", "0.0.0.0:1", "admin.open", "true", "admin.danger_ok", "true"));
    assertThat(settings.admin().open()).isTrue();
  }
}
