package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The validator finds each kind of lie, and none where there is none. */
final class SchemaCheckTest {
  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final String DOCUMENT =
      "{\"components\":{\"schemas\":{\"Problem\":{\"type\":\"object\",\"required\":[\"code\"],"
          + "\"properties\":{\"code\":{\"type\":\"string\"}}}}}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"type":"string"}                                         | "a"        | 0
          {"type":"string"}                                         | 1          | 1
          {"type":"string"}                                         | null       | 1
          {"type":["string","null"]}                                | null       | 0
          {"type":["string","null"]}                                | 1          | 1
          {"type":"integer"}                                        | 1.5        | 1
          {"type":"number"}                                         | 1.5        | 0
          {"type":"boolean"}                                        | "true"     | 1
          {"type":"integer","minimum":2,"maximum":3}                | 3          | 0
          {"type":"integer","minimum":2,"maximum":3}                | 1          | 1
          {"type":"integer","minimum":2,"maximum":3}                | 4          | 1
          {"type":"string","enum":["a","b"]}                        | "c"        | 1
          {"type":"string","pattern":"^a+$"}                        | "aab"      | 1
          {"type":"string","minLength":1,"maxLength":2}             | ""         | 1
          {"type":"string","minLength":1,"maxLength":2}             | "abc"      | 1
          {"type":"string","contentEncoding":"base64"}              | "aGk="     | 0
          {"type":"string","contentEncoding":"base64"}              | "?"        | 1
          {"type":"array","items":{"type":"string"}}                | ["a",1,2]  | 2
          {"type":"array","items":{},"maxItems":1}                  | [1,2]      | 1
          {"type":"object","properties":{"a":{"type":"string"}}}    | {"a":1}    | 1
          {"type":"object","properties":{"a":{}}}                   | {"b":1}    | 1
          {"type":"object","properties":{},"required":["a"]}        | {}         | 1
          {"type":"object","additionalProperties":{"type":"string"}} | {"b":1}   | 1
          {"type":"object","properties":{},"additionalProperties":true}  | {"b":1} | 0
          {"type":"object","properties":{},"additionalProperties":false} | {"b":1} | 1
          {"$ref":"#/components/schemas/Problem"}                   | {"code":"a"} | 0
          {"$ref":"#/components/schemas/Problem"}                   | {}         | 1
          {"oneOf":[]}                                              | 1          | 1
          """)
  void aLieIsFound(String schema, String value, int complaints) {
    JsonNode document = MAPPER.readTree(DOCUMENT);
    assertThat(SchemaCheck.complaints(document, MAPPER.readTree(schema), MAPPER.readTree(value)))
        .hasSize(complaints);
  }
}
