package dev.ron.config.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.config.Seed;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.tomlj.TomlValue;

class LiteralTest {
  @Test
  void tomlReadsBackWhatWasWritten() {
    var seed = Seed.fresh();
    var random = seed.random();
    for (int i = 0; i < 3_000; i++) {
      String text = text(random);
      assertThat(TomlValue.parse(Literal.quoted(text)).getString())
          .as(seed.toString())
          .isEqualTo(text);
      var table = TomlValue.parse(Literal.toml(Map.of(text, List.of(text)))).getTable();
      assertThat(table.keySet()).as(seed.toString()).containsExactly(text);
      assertThat(table.getArray(List.of(text)).toList())
          .as(seed.toString())
          .isEqualTo(List.of(text));
    }
  }

  /** Any characters but half ones, which UTF-8 cannot carry into a file. */
  private static String text(RandomGenerator random) {
    var text = new StringBuilder();
    for (int length = random.nextInt(12); length > 0; length--) {
      int bound = new int[] {0x20, 0x80, 0x3000, Character.MAX_CODE_POINT}[random.nextInt(4)];
      int c = random.nextInt(bound);
      text.appendCodePoint(Character.getType(c) == Character.SURROGATE ? '"' : c);
    }
    return text.toString();
  }

  @Test
  void jsonIsPlain() {
    assertThat(Literal.json(Map.of("a\"\n", List.of(1L, true, "\u001b\\", Map.of()))))
        .isEqualTo("{\"a\\\"\\n\":[1,true,\"\\u001b\\\\\",{}]}");
    assertThat(Literal.json("\udb40\udc01")).isEqualTo("\"\\udb40\\udc01\"");
    assertThat(Literal.toml("\udb40\udc01")).isEqualTo("\"\\U000e0001\"");
  }
}
