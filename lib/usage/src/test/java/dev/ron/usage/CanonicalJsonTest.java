package dev.ron.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CanonicalJsonTest {
  @Test
  void aValueHasOneSpelling() {
    assertThat(CanonicalJson.text(null)).isEqualTo("null");
    assertThat(CanonicalJson.text(List.of())).isEqualTo("[]");
    assertThat(CanonicalJson.text(Map.of())).isEqualTo("{}");
    assertThat(CanonicalJson.text(Arrays.asList(true, null, -1L, 9007199254740992L, "x")))
        .isEqualTo("[true,null,-1,9007199254740992,\"x\"]");
  }

  /** The example of section 3.2.3: keys in the order of their UTF-16 units. */
  @Test
  void keysAreSortedByTheirUnits() {
    var map = new LinkedHashMap<String, Object>();
    for (String key : List.of("\u20ac", "\r", "\ufb33", "1", "\ud83d\ude00", "\u0080", "\u00f6")) {
      map.put(key, 1);
    }
    assertThat(CanonicalJson.text(map))
        .isEqualTo(
            "{\"\\r"
                + "\":1,\"1\":1,\"\u0080\":1,\"\u00f6\":1,\"\u20ac\":1,\"\ud83d\ude00\":1,\"\ufb33\":1}");
  }

  @Test
  void onlyWhatMustBeIsEscaped() {
    assertThat(CanonicalJson.text("\u20ac$\u000F\nA'B\"\\\\\"/\u007f"))
        .isEqualTo("\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\u007f\"");
    assertThat(CanonicalJson.text("\b\t\f\r\u001b")).isEqualTo("\"\\b\\t\\f\\r\\u001b\"");
  }

  @Test
  void whatHasNoOneSpellingIsRefused() {
    for (Object value : new Object[] {Long.MAX_VALUE, "\ud83d", "\ude00", "a\ude00b", 'c'}) {
      assertThatThrownBy(() -> CanonicalJson.text(value))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
