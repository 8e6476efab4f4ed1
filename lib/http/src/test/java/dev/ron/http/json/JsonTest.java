package dev.ron.http.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonTest {
  private static final Json JSON = Json.strict(100);

  enum Flush {
    ALWAYS,
    INTERVAL
  }

  /** One of every kind of component. */
  record Send(
      String topic,
      int count,
      long delayMs,
      boolean sticky,
      double weight,
      BigDecimal price,
      Flush flush,
      Optional<String> group,
      Map<String, String> attrs,
      List<Send> messages,
      List<String> names) {
    Send {
      if (count < 0) {
        throw new IllegalArgumentException("count must not be negative");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # body                            | fault         | detail
          {"topicc":1}                      | UnknownField  | topicc: is not a known field
          {"delayMs":1}                     | UnknownField  | delayMs: is not a known field
          {"Topic":"a"}                     | UnknownField  | Topic: is not a known field
          {"messages":[{},{"x":1}]}         | UnknownField  | messages[1].x: is not a known field
          {"@class":"java.lang.Object"}     | UnknownField  | @class: is not a known field
          {"a\\u0000\\u202eb":1}            | UnknownField  | a??b: is not a known field
          {"count":1,"count":1}             | DuplicateKey  | count: is there twice
          {"attrs":{"a":"1","a":"1"}}       | DuplicateKey  | attrs.a: is there twice
          {"messages":[{"count":1,"count":2}]} | DuplicateKey | messages[0].count: is there twice
          {"x":1,"x":1}                     | DuplicateKey  | x: is there twice
          {}{}                              | Trailing  | $: is followed by more
          {} x                              | Trailing  | $: is followed by more
          {},                               | Trailing  | $: is followed by more
          {}]                               | Trailing  | $: is followed by more
          {"topic":"\\ud800"}               | Syntax        | $: has half of a surrogate pair
          {"topic":"a\\udfffb"}             | Syntax        | $: has half of a surrogate pair
          {"topic":"\\udc00\\ud800"}        | Syntax        | $: has half of a surrogate pair
          {"topic":"\\\\\\uD83D"}           | Syntax        | $: has half of a surrogate pair
          {"x\\ud83d":"\\ude00"}            | Syntax        | $: has half of a surrogate pair
          {"topic":1}                       | WrongType     | topic: must be a string
          {"topic":true}                    | WrongType     | topic: must be a string
          {"topic":["a"]}                   | WrongType     | topic: must be a string
          {"count":"1"}                     | WrongType     | count: must be a whole number within its range
          {"count":""}                      | WrongType     | count: must be a whole number within its range
          {"count":1.0}                     | WrongType     | count: must be a whole number within its range
          {"count":1e2}                     | WrongType     | count: must be a whole number within its range
          {"count":2147483648}              | WrongType     | count: must be a whole number within its range
          {"delay_ms":9223372036854775808}  | WrongType     | delay_ms: must be a whole number within its range
          {"count":null}                    | WrongType     | count: must be a whole number within its range
          {"count":true}                    | WrongType     | count: must be a whole number within its range
          {"sticky":"true"}                 | WrongType     | sticky: must be true or false
          {"sticky":1}                      | WrongType     | sticky: must be true or false
          {"weight":"1.5"}                  | WrongType     | weight: must be a number
          {"flush":"always"}                | WrongType     | flush: must be one of ALWAYS, INTERVAL
          {"flush":0}                       | WrongType     | flush: must be one of ALWAYS, INTERVAL
          {"flush":""}                      | WrongType     | flush: must be one of ALWAYS, INTERVAL
          {"group":1}                       | WrongType     | group: must be a string
          {"attrs":[]}                      | WrongType     | attrs: must be an object
          {"attrs":{"a":1}}                 | WrongType     | attrs.a: must be a string
          {"attrs":{"a":null}}              | WrongType     | attrs.a: must not be null
          {"names":"a"}                     | WrongType     | names: must be an array
          {"names":["a",1]}                 | WrongType     | names[1]: must be a string
          {"names":["a",null]}              | WrongType     | names[1]: must not be null
          {"messages":[1]}                  | WrongType     | messages[0]: must be an object
          {"messages":[[]]}                 | WrongType     | messages[0]: must be an object
          {"messages":[{"count":-1}]}       | WrongType     | messages[0]: count must not be negative
          {"count":-1}                      | WrongType     | $: count must not be negative
          null                              | WrongType     | $: must not be null
          []                                | WrongType     | $: must be an object
          [{}]                              | WrongType     | $: must be an object
          "a"                               | WrongType     | $: must be an object
          1                                 | WrongType     | $: must be an object
          ``                                | Syntax        | $: is empty
          {                                 | Syntax        | $: ends too early
          {"names":["a"                     | Syntax        | names[0]: ends too early
          {"topic":"a                       | Syntax        | topic: ends too early
          {"count":01}                      | Syntax        | count: is not JSON
          {"count":+1}                      | Syntax        | count: is not JSON
          {"weight":NaN}                    | Syntax        | weight: is not JSON
          {'count':1}                       | Syntax        | $: is not JSON
          {count:1}                         | Syntax        | $: is not JSON
          {"count":1,}                      | Syntax        | count: is not JSON
          {"names":["a",]}                  | Syntax        | names[1]: is not JSON
          /**/{}                            | Syntax        | $: is not JSON
          {"topic":"\t"}                    | Syntax        | topic: is not JSON
          """)
  void whatIsWrongIsNamed(String body, String fault, String detail) {
    JsonFault found = fault(body.getBytes(StandardCharsets.UTF_8));
    assertThat(found.detail()).isEqualTo(detail);
    assertThat(found.getClass().getSimpleName()).isEqualTo(fault);
    assertThat(found.code()).isEqualTo("malformed");
  }

  @Test
  void limitsAreExact() {
    assertThat(read("{\"topic\":\"" + "x".repeat(100) + "\"}").topic()).hasSize(100);
    assertThat(fault("{\"topic\":\"" + "x".repeat(101) + "\"}"))
        .isEqualTo(new JsonFault.TooLong("topic", "is too long"));
    assertThat(read("{\"price\":" + "1".repeat(64) + "}").price().precision()).isEqualTo(64);
    assertThat(fault("{\"price\":" + "1".repeat(65) + "}"))
        .isEqualTo(new JsonFault.TooLong("price", "is a number that is too long"));
    assertThat(fault("{\"" + "k".repeat(257) + "\":1}")).isInstanceOf(JsonFault.TooLong.class);
    assertThat(fault("{\"" + "k".repeat(256) + "\":1}").detail())
        .isEqualTo("k".repeat(64) + "...: is not a known field");
    String open = "{\"messages\":[";
    String close = "]}";
    assertThat(read(open.repeat(16) + close.repeat(16)).messages()).hasSize(1);
    assertThat(fault(open.repeat(17) + close.repeat(17)))
        .isInstanceOf(JsonFault.TooDeep.class)
        .extracting(JsonFault::detail)
        .asString()
        .endsWith("messages[0]: is nested deeper than 32");
  }

  @Test
  void onlyUtf8IsRead() {
    assertThat(fault("{}".getBytes(StandardCharsets.UTF_16LE)).detail())
        .isEqualTo("$: is not UTF-8");
    assertThat(fault("{}".getBytes(StandardCharsets.UTF_16BE)).detail())
        .isEqualTo("$: is not UTF-8");
    assertThat(fault("{}".getBytes(StandardCharsets.UTF_16)).detail()).isEqualTo("$: is not UTF-8");
    byte[] latin = "{\"topic\":\"é\"}".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(fault(latin)).isInstanceOf(JsonFault.Syntax.class);
  }

  @Test
  void whatIsWrittenIsReadBack() {
    var inner = new Send("b", 0, 0, false, 0, null, null, Optional.empty(), null, null, null);
    var send =
        new Send(
            "a\u0000\"é",
            1,
            Long.MAX_VALUE,
            true,
            1.5,
            new BigDecimal("0.10"),
            Flush.INTERVAL,
            Optional.of("g"),
            Map.of("k", "v"),
            List.of(inner),
            List.of());
    byte[] written = JSON.write(send);
    assertThat(new String(written, StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"topic\":\"a\\u0000\\\"é\",\"count\":1,\"delay_ms\":9223372036854775807,"
                + "\"sticky\":true,\"weight\":1.5,\"price\":0.10,\"flush\":\"INTERVAL\","
                + "\"group\":\"g\",\"attrs\":{\"k\":\"v\"},\"messages\":[{\"topic\":\"b\","
                + "\"count\":0,\"delay_ms\":0,\"sticky\":false,\"weight\":0.0}],\"names\":[]}");
    assertThat(JSON.read(written, Send.class)).isEqualTo(new JsonRead.Value<>(send));
    assertThat(read("{\"weight\":1}").weight()).isEqualTo(1.0);
  }

  private static Send read(String body) {
    return switch (JSON.read(body.getBytes(StandardCharsets.UTF_8), Send.class)) {
      case JsonRead.Value<Send>(var send) -> send;
      case JsonRead.Bad<Send>(var fault) -> throw new AssertionError(fault.detail());
    };
  }

  private static JsonFault fault(String body) {
    return fault(body.getBytes(StandardCharsets.UTF_8));
  }

  private static JsonFault fault(byte[] body) {
    return switch (JSON.read(body, Send.class)) {
      case JsonRead.Value<Send>(var send) -> throw new AssertionError("read " + send);
      case JsonRead.Bad<Send>(var fault) -> fault;
    };
  }

  @Test
  void betweenMachinesAFieldOfANewerOneIsPassedOverAndNothingElse() {
    byte[] newer =
        "{\"topic\":\"a\",\"shape\":{\"x\":[1]},\"messages\":[{\"y\":1}]}"
            .getBytes(StandardCharsets.UTF_8);
    assertThat(Json.plain().read(newer, Send.class)).isInstanceOf(JsonRead.Bad.class);
    assertThat(Json.tolerant().read(newer, Send.class))
        .isInstanceOfSatisfying(
            JsonRead.Value.class, read -> assertThat(((Send) read.value()).topic()).isEqualTo("a"));
    for (String wrong : List.of("{\"topic\":1}", "{\"topic\":\"a\",\"topic\":\"b\"}", "{} x")) {
      assertThat(Json.tolerant().read(wrong.getBytes(StandardCharsets.UTF_8), Send.class))
          .as(wrong)
          .isInstanceOf(JsonRead.Bad.class);
    }
  }
}
