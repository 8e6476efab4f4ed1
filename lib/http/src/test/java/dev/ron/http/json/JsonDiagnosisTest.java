package dev.ron.http.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/** What is answered does not depend on the words in which the parser says what is wrong. */
final class JsonDiagnosisTest {
  private static final JsonFactory FACTORY = new JsonFactory();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # body                     | tokens | words                  | detail
          {"a":1,"a":2}              | 4      | another version's      | a: is there twice
          {"a":{"b":1},"a":2}        | 4      | Duplicate field 'a'    | a.b: is not JSON
          {"a":1,"b":2}              | 4      | Duplicate field 'b'    | b: is not JSON
          {"a":[{"b":1,"b":2}]}      | 7      | another version's      | a[0].b: is there twice
          {"a":{"a":1},"b":{"a":2}}  | 9      | Duplicate field 'a'    | b.a: is not JSON
          {"a":1,"b":[x],"a":2}      | 5      | another version's      | b[0]: is not JSON
          """)
  void aNameThatIsThereTwiceIsFoundByLooking(String body, int tokens, String words, String detail) {
    assertThat(diagnosis(body, tokens, new StreamReadException(words)).detail()).isEqualTo(detail);
  }

  @ParameterizedTest
  @CsvSource({"Document nesting depth (33)", "Name length (257)", "Number value length (65)", "x"})
  void wordsOfALimitDecideNothing(String words) {
    assertThat(diagnosis("{\"a\":1}", 2, new StreamConstraintsException(words)))
        .isEqualTo(new JsonFault.TooLong("a", "is too long"));
  }

  @Test
  void everyLimitIsTold() {
    assertThat(fault("{\"a\":" + "[".repeat(Json.DEPTH_MAX) + "]".repeat(Json.DEPTH_MAX) + "}"))
        .endsWith("is nested deeper than " + Json.DEPTH_MAX);
    assertThat(fault("{\"" + "k".repeat(Json.NAME_CHARS_MAX + 1) + "\":1}"))
        .endsWith("has a name that is too long");
    for (String number : new String[] {"1", "1.", "-1", "1e"}) {
      assertThat(fault("{\"a\":" + number + "1".repeat(Json.NUMBER_CHARS_MAX) + "}"))
          .as(number)
          .isEqualTo("a: is a number that is too long");
    }
    assertThat(fault("{\"a\":\"" + "x".repeat(101) + "\"}")).isEqualTo("a: is too long");
  }

  private static JsonFault diagnosis(String body, int tokens, JacksonException e) {
    byte[] bytes = body.getBytes(UTF_8);
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
      for (int i = 0; i < tokens; i++) {
        parser.nextToken();
      }
      return JsonDiagnosis.of(e, parser, bytes);
    }
  }

  private static String fault(String body) {
    return ((JsonRead.Bad<?>) Json.strict(100).read(body.getBytes(UTF_8), Map.class))
        .fault()
        .detail();
  }
}
