package dev.ron.http.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardedHeaderTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          for=192.0.2.60;proto=http;by=203.0.113.43 | for=192.0.2.60;proto=http;by=203.0.113.43
          For="[2001:db8:cafe::17]:4711"            | for="[2001:db8:cafe::17]:4711"
          for=192.0.2.43, for="[2001:db8::17]"      | for=192.0.2.43, for="[2001:db8::17]"
          for=192.0.2.43,for=198.51.100.17 ; x      | bad: not a list of at most 32 hops
          for="_gazonk"                             | for=_gazonk
          for=unknown;host="a\\"b"                  | for=unknown;host="a\\"b"
          ,for=a,,for=b,                            | for=a, for=b
          for=a;                                    | for=a
          for=a;;by=b                               | for=a;by=b
          ``                                        | bad: not a list of hops
          ,                                         | bad: not a list of hops
          for                                       | bad: not a list of at most 32 hops
          for=                                      | bad: not a list of at most 32 hops
          =a                                        | bad: not a list of at most 32 hops
          for =a                                    | bad: not a list of at most 32 hops
          for=a;for=b                               | bad: not a list of at most 32 hops
          for=a:80                                  | bad: not a list of at most 32 hops
          for="a                                    | bad: not a list of at most 32 hops
          for=a by=b                                | bad: not a list of at most 32 hops
          """)
  void reading(String text, String shown) {
    assertThat(Shown.of(ForwardedHeader.parse(List.of(text)))).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          192.0.2.60            | 192.0.2.60            | ``
          192.0.2.60:8080       | 192.0.2.60            | 8080
          [2001:db8::17]        | [2001:db8::17]        | ``
          [2001:db8::17]:4711   | [2001:db8::17]        | 4711
          unknown               | unknown               | ``
          _hidden:_port         | _hidden               | _port
          256.0.0.1             | bad: not an IPv4 address       | ``
          2001:db8::17          | bad: not a node of Forwarded   | ``
          example.org           | bad: not a node of Forwarded   | ``
          192.0.2.60:           | bad: not a node of Forwarded   | ``
          _                     | bad: not a node of Forwarded   | ``
          """)
  void nodes(String text, String name, String port) {
    switch (ForwardedNode.parse(text)) {
      case ParseResult.Ok<ForwardedNode>(var node) -> {
        assertThat(node).isEqualTo(new ForwardedNode(name, port)).hasToString(text);
        var hop = ForwardedHeader.Hop.of(Map.of("for", text));
        var back = ForwardedHeader.parse(List.of(hop.toString())).asOptional().orElseThrow();
        assertThat(back.hops().getFirst().client()).contains(node);
      }
      case ParseResult.Bad<ForwardedNode>(var why) -> assertThat("bad: " + why).isEqualTo(name);
    }
  }

  @Test
  void caps() {
    assertThat(ForwardedHeader.parse(Collections.nCopies(32, "for=a")))
        .isInstanceOf(ParseResult.Ok.class);
    assertThat(ForwardedHeader.parse(Collections.nCopies(33, "for=a")))
        .isInstanceOf(ParseResult.Bad.class);
    assertThat(ForwardedHeader.parse(List.of("for=" + "a".repeat(4093))))
        .isInstanceOf(ParseResult.Bad.class);
    var pairs = new StringBuilder("p=1");
    for (int i = 1; i < 16; i++) {
      pairs.append(";p").append(i).append("=1");
    }
    assertThat(ForwardedHeader.parse(List.of(pairs.toString()))).isInstanceOf(ParseResult.Ok.class);
    assertThat(ForwardedHeader.parse(List.of(pairs + ";q=1"))).isInstanceOf(ParseResult.Bad.class);
  }

  @Test
  void nothingThatBreaksALineCanBeWritten() {
    assertThatThrownBy(() -> ForwardedHeader.Hop.of(Map.of("for", "a\r\nb")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ForwardedHeader.Hop.of(Map.of("For", "a")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
