package dev.ron.capability.registered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.capability.registered.RegisteredKeys.RegisteredKey;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RegisteredKeysTest {
  private static final Instant NOW = Instant.parse("2026-11-15T10:00:00Z");

  @Test
  void whatIsWrittenIsReadBack() {
    var random = new Random(1);
    RegisteredKeys keys = RegisteredKeys.NONE;
    for (int i = 0; i < 3; i++) {
      String id = RegisteredKeys.newId(random);
      assertThat(id).hasSize(20).matches("RONK[A-Z2-7]{16}");
      keys = keys.with(new RegisteredKey(id, "RON1long" + i, NOW.plusSeconds(i)));
    }
    RegisteredKeys read = RegisteredKeys.parse(keys.text());
    assertThat(read.all()).isEqualTo(keys.all()).hasSize(3);
    RegisteredKey first = read.all().getFirst();
    assertThat(read.pairId(first.id())).isEqualTo("RON1long0");
    assertThat(read.pairId("RON1other")).as("a long id stands for itself").isEqualTo("RON1other");
    assertThat(read.without(first.id()).find(first.id())).isEmpty();
    assertThatThrownBy(() -> read.with(first)).hasMessageContaining("registered twice");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "RONKABCDEFGH234567AB",
        "RONKABCDEFGH234567AB RON1x",
        "RONKABCDEFGH234567A1 RON1x 2026-11-15T10:00:00Z",
        "RONKABCDEFGH234567AB RON1x yesterday",
        "RONKABCDEFGH234567AB  2026-11-15T10:00:00Z",
        "RONKABCDEFGH234567AB RON1x 2026-11-15T10:00:00Z more",
        "\nRONKABCDEFGH234567AB RON1x 2026-11-15T10:00:00Z",
      })
  void aLineThatIsNoneIsRefused(String line) {
    assertThatThrownBy(() -> RegisteredKeys.parse(line))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
