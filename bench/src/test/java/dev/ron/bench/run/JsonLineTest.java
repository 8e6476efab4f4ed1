package dev.ron.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class JsonLineTest {
  static Arguments[] texts() {
    return new Arguments[] {
      Arguments.of("plain", "plain"),
      Arguments.of("", ""),
      Arguments.of("say \"hi\"", "say \\\"hi\\\""),
      Arguments.of("back\\slash", "back\\\\slash"),
      Arguments.of("a\nb\r\tc", "a\\nb\\r\\tc"),
      Arguments.of("\u0000\u0007\u001f\u007f", "\\u0000\\u0007\\u001f\\u007f"),
      Arguments.of("\u2028\u2029\u0085", "\\u2028\\u2029\\u0085"),
      Arguments.of("grün 🦊", "grün 🦊"),
      Arguments.of("\ud83e", "\\ud83e"),
      Arguments.of("\udd8a\ud83e", "\\udd8a\\ud83e"),
      Arguments.of("</script>", "</script>"),
    };
  }

  @ParameterizedTest
  @MethodSource("texts")
  void textIsEscaped(String text, String expected) {
    assertThat(new JsonLine().text("k", text).toString()).isEqualTo("{\"k\":\"" + expected + "\"}");
    assertThat(new JsonLine().text(text, "v").toString()).isEqualTo("{\"" + expected + "\":\"v\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, 0",
    "1, 1",
    "0.1, 0.1",
    "123456.7, 123457",
    "1234567.8, 1234570",
    "0.000012345678, 0.0000123457",
    "1e20, 100000000000000000000",
    "-2.5, -2.5",
  })
  void numbersHaveSixDigitsAndNoExponent(double number, String expected) {
    assertThat(new JsonLine().number("n", number).toString()).isEqualTo("{\"n\":" + expected + "}");
  }

  @Test
  void fieldsKeepTheirOrderAndNullIsNull() {
    assertThat(new JsonLine().text("b", null).number("a", null).integer("c", -3).toString())
        .isEqualTo("{\"b\":null,\"a\":null,\"c\":-3}");
    assertThat(new JsonLine().toString()).isEqualTo("{}");
  }

  @Test
  void whatJsonCannotSayIsRefused() {
    for (double number : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> new JsonLine().number("ratio", number))
          .hasMessageContaining("ratio");
    }
  }
}
