package dev.ron.http.json;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A form reads what it declares, refuses the rest by name, and shows itself as a schema. */
class FormTest {
  private static final Form PART =
      Form.of(HttpFault.Malformed::new, Field.text("name"), Field.flag("last").optional());

  private static final Form FORM =
      Form.of(
          HttpFault.Malformed::new,
          Field.text("topic", Pattern.compile("[a-z]{1,4}"), "must be 1 to 4 of a-z"),
          Field.number("delay_ms", 0, 1000).optional().about("Before it is seen."),
          Field.choice("order", "fifo", "any").optional(),
          Field.bytes("payload").optional(),
          Field.texts("tags", 2).nullable(),
          Field.map("attrs", Schema.TEXT, String.class, "must be an object of texts").optional(),
          Field.objects("parts", PART, 2).optional());

  @Test
  void whatIsDeclaredIsRead() throws Exception {
    Fields fields =
        read(
            """
            {"topic":"a","delay_ms":5,"order":"any","payload":"aGk=","tags":["x"],
             "attrs":{"k":"v"},"parts":[{"name":"p","last":true},{"name":"q"}]}
            """);
    assertThat(fields.text("topic")).isEqualTo("a");
    assertThat(fields.number("delay_ms")).isEqualTo(5);
    assertThat(fields.text("order")).isEqualTo("any");
    assertThat(fields.bytes("payload")).isEqualTo("hi".getBytes(UTF_8));
    assertThat(fields.texts("tags")).containsExactly("x");
    assertThat(fields.map("attrs", String.class)).isEqualTo(Map.of("k", "v"));
    assertThat(fields.objects("parts").stream().map(part -> part.text("name")))
        .containsExactly("p", "q");
    assertThat(fields.objects("parts").get(1).flag("last")).isFalse();
  }

  @Test
  void whatIsLeftOutIsAbsent() throws Exception {
    Fields fields = read("{\"topic\":\"a\",\"tags\":null}");
    assertThat(fields.number("delay_ms", 7)).isEqualTo(7);
    assertThat(fields.textOrNull("order")).isNull();
    assertThat(fields.has("payload")).isFalse();
    assertThat(fields.texts("tags")).isEmpty();
    assertThat(fields.objects("parts")).isEmpty();
    assertThatThrownBy(() -> fields.bytes("payload")).hasMessageContaining("is optional");
    assertThatThrownBy(() -> fields.text("topik")).hasMessage("the form has no field topik");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                   | topic: is missing
          ``                                   | topic: is missing
          {"topic":null}                       | topic: must not be null; leave it out instead
          {"topic":1}                          | topic: must be text
          {"topic":"toolong"}                  | topic: must be 1 to 4 of a-z
          {"topic":"a","x":1}                  | x: is not a known field
          {"topic":"a","topic":"b"}            | topic: is there twice
          {"topic":"a"} 1                      | $: is followed by more
          {"topic":"a"                         | $: is not JSON at line 1, column 13
          [1]                                  | $: must be a JSON object
          {"topic":"a","delay_ms":1001}        | delay_ms: must be a whole number from 0 to 1000
          {"topic":"a","delay_ms":"1"}         | delay_ms: must be a whole number from 0 to 1000
          {"topic":"a","delay_ms":99999999999999999999} | delay_ms: is out of range
          {"topic":"a","delay_ms":1.5}         | delay_ms: must be text, a whole number, an object or a list
          {"topic":"a","order":"lifo"}         | order: must be fifo or any
          {"topic":"a","payload":"?"}          | payload: is not base64
          {"topic":"a","tags":["x","y","z"]}   | tags: must be a list of at most 2
          {"topic":"a","tags":[1]}             | tags: must be a list of texts
          {"topic":"a","attrs":{"k":1}}        | attrs: must be an object of texts
          {"topic":"a","parts":[1]}            | parts: must be a list of objects
          {"topic":"a","parts":[{"name":"p"},{"nam":1}]} | parts[1].name: is missing
          {"topic":"a","parts":[{"name":"p","x":1}]} | parts[0].x: is not a known field
          """)
  void whatIsNotIsNamed(String json, String told) {
    assertThatThrownBy(() -> read(json == null ? "" : json))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.status()).isEqualTo(400);
              assertThat(refusal.fault()).isEqualTo(new HttpFault.Malformed(told));
            });
  }

  @Test
  void otherEncodingsAndNamesWithControlsAreNotRepeated() {
    assertThatThrownBy(() -> FORM.read("{}".getBytes(UTF_16))).hasMessageContaining("UTF-8");
    assertThatThrownBy(() -> read("{\"topic\":\"a\",\"\\u0007é\":1}"))
        .hasMessage("malformed: ??: is not a known field");
  }

  @Test
  void anOpenFormIgnoresWhatItDoesNotKnow() throws Exception {
    assertThat(PART.open().read("{\"name\":\"p\",\"x\":{}}".getBytes(UTF_8)).text("name"))
        .isEqualTo("p");
  }

  @Test
  void itShowsItselfAsASchema() {
    assertThat(new String(Json.plain().write(PART.schema().json()), UTF_8))
        .isEqualTo(
            "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},"
                + "\"last\":{\"type\":\"boolean\"}},\"required\":[\"name\"],"
                + "\"additionalProperties\":false}");
    assertThat(FORM.schema().json().toString())
        .contains("minimum=0, maximum=1000, description=Before it is seen.")
        .contains("enum=[fifo, any]")
        .contains("pattern=^(?:[a-z]{1,4})$");
    assertThatThrownBy(() -> Form.of(HttpFault.Malformed::new, Field.text("a"), Field.flag("a")))
        .hasMessage("a form with two fields a");
  }

  enum Side {
    LEFT,
    RIGHT
  }

  record Step(Side side, String hash) {}

  record Reply(
      String runKey,
      long lines,
      @Nullable String reason,
      Optional<Boolean> dry,
      List<Step> proof,
      Map<String, Integer> counts,
      Object rest) {}

  @Test
  void aRecordIsASchemaToo() {
    assertThat(new String(Json.plain().write(Schema.of(Reply.class).json()), UTF_8))
        .isEqualTo(
            "{\"type\":\"object\",\"properties\":{\"run_key\":{\"type\":\"string\"},"
                + "\"lines\":{\"type\":\"integer\"},\"reason\":{\"type\":\"string\"},"
                + "\"dry\":{\"type\":\"boolean\"},\"proof\":{\"type\":\"array\",\"items\":"
                + "{\"type\":\"object\",\"properties\":{\"side\":{\"type\":\"string\",\"enum\":"
                + "[\"LEFT\",\"RIGHT\"]},\"hash\":{\"type\":\"string\"}},"
                + "\"required\":[\"side\",\"hash\"]}},\"counts\":{\"type\":"
                + "\"object\",\"additionalProperties\":{\"type\":\"integer\"}},\"rest\":{}},"
                + "\"required\":[\"run_key\",\"lines\",\"proof\",\"counts\",\"rest\"]}");
  }

  private static Fields read(String json) throws Refusal {
    return FORM.read(json.getBytes(UTF_8));
  }
}
