package dev.ron.http.field;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.field.RequestPath.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link RequestPath} and {@link QueryString}. */
class RequestTargetTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /                    | /                    | []
          /a/b                 | /a/b                 | [a, b]
          /a/b/                | /a/b/                | [a, b, ]
          //a///b//            | /a/b/                | [a, b, ]
          ////                 | /                    | []
          /./a/./b/.           | /a/b/                | [a, b, ]
          /a/../b              | /b                   | [b]
          /a/b/..              | /a/                  | [a, ]
          /a/..                | /                    | []
          /a//../b             | /b                   | [b]
          /%61/%7e%2D%5f%2e    | /a/~-_.              | [a, ~-_.]
          /a/%2e%2E/b          | /b                   | [b]
          /a/%2e/b             | /a/b                 | [a, b]
          /a%20b               | /a%20b               | [a b]
          /%c3%bc              | /%C3%BC              | [ü]
          /%3a%40:@            | /%3A%40:@            | [:@:@]
          /%252e%252E/a        | /%252e%252E/a        | [%2e%2E, a]
          /%3Fa%23b            | /%3Fa%23b            | [?a#b]
          /...                 | /...                 | [...]
          /a;v=1/b;w           | /a;v=1/b;w           | [a;v=1, b;w]
          /!$&'()*+,=          | /!$&'()*+,=          | [!$&'()*+,=]
          ``                   | a path starts with a slash | -
          *                    | a path starts with a slash | -
          a/b                  | a path starts with a slash | -
          http://h/            | a path starts with a slash | -
          /..                  | a path that climbs above its root | -
          /a/../../b           | a path that climbs above its root | -
          /%2e%2e/a            | a path that climbs above its root | -
          /a%2fb               | an encoded slash, backslash or control | -
          /a%5Cb               | an encoded slash, backslash or control | -
          /a%00                | an encoded slash, backslash or control | -
          /a%0d%0aX            | an encoded slash, backslash or control | -
          /a%7f                | an encoded slash, backslash or control | -
          /a%c2%80             | an encoded control | -
          /a%                  | a percent sign without two hex digits | -
          /a%4                 | a percent sign without two hex digits | -
          /a%/41               | a percent sign without two hex digits | -
          /a%zz                | a percent sign without two hex digits | -
          /%u0041              | a percent sign without two hex digits | -
          /%ff                 | a path that is not UTF-8 | -
          /%c0%af              | a path that is not UTF-8 | -
          /%c0%ae%c0%ae/       | a path that is not UTF-8 | -
          /%c3/%bc             | a path that is not UTF-8 | -
          /%ed%a0%80           | a path that is not UTF-8 | -
          /a\\b                | a character that must be percent-encoded in a path | -
          /a b                 | a character that must be percent-encoded in a path | -
          /a#b                 | a character that must be percent-encoded in a path | -
          /a?b                 | a character that must be percent-encoded in a path | -
          /ü                   | a character that must be percent-encoded in a path | -
          /a\u0001b            | a character that must be percent-encoded in a path | -
          /..;/a               | a dot segment with a parameter | -
          /a/.;x=1/b           | a dot segment with a parameter | -
          /%2e%2e;x/b          | a dot segment with a parameter | -
          /..%3bx/b            | a dot segment with a parameter | -
          """)
  void paths(String raw, String shown, String segments) {
    switch (RequestPath.normalise(raw, 100)) {
      case Outcome.Normalised(var path) -> {
        assertThat(path.text()).isEqualTo(shown);
        assertThat(path.segments()).hasToString(segments);
        assertThat(RequestPath.normalise(path.text(), 100))
            .as("the normal form is its own")
            .isEqualTo(new Outcome.Normalised(path));
      }
      case Outcome.Refused(var why) -> assertThat(why).isEqualTo(shown);
      case Outcome.TooLong _ -> throw new AssertionError("too long");
    }
  }

  @Test
  void aPathHasALength() {
    assertThat(RequestPath.normalise("/" + "a".repeat(99), 100))
        .isInstanceOf(Outcome.Normalised.class);
    assertThat(RequestPath.normalise("/" + "a".repeat(100), 100))
        .isEqualTo(new Outcome.TooLong(100));
  }

  /** Whatever arrives, what is forwarded has one reading left. */
  @Test
  void nothingIsLeftToReadTwice() {
    var seed = Seed.fresh();
    var random = seed.random();
    String[] pieces = {"/", "/", ".", "..", "%2e", "%2E", "a", "%41", "%25", "%c3%bc", ";", "%2f"};
    for (int i = 0; i < 100_000; i++) {
      var raw = new StringBuilder("/");
      for (int p = random.nextInt(8); p > 0; p--) {
        raw.append(pieces[random.nextInt(pieces.length)]);
      }
      if (RequestPath.normalise(raw.toString(), 100) instanceof Outcome.Normalised(var path)) {
        assertThat(path.text() + "/")
            .as("%s, %s", raw, seed)
            .doesNotContain("///", "/./", "/../", "%2E", "%41", "%2F");
        assertThat(RequestPath.normalise(path.text(), 100))
            .as("%s, %s", raw, seed)
            .isEqualTo(new Outcome.Normalised(path));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                 | []
          a=1                | [a=1]
          a=1&b=2&a=3        | [a=1, b=2, a=3]
          a                  | [a=]
          a=&=b&=            | [a=, =b, =]
          &&a=1&             | [a=1]
          a=b=c              | [a=b=c]
          a+b=%2B+%26%3d     | [a b=+ &=]
          %c3%bc=%E2%82%AC   | [ü=€]
          a=/?:@             | [a=/?:@]
          a=%                | bad
          a=%4               | bad
          a=%4&b=1           | bad
          a=%zz              | bad
          a=%ff              | bad
          a=%00              | bad
          a=%0a              | bad
          a=b c              | bad
          a=ü                | bad
          a=#b               | bad
          """)
  void queries(String raw, String shown) {
    String found =
        switch (QueryString.parse(raw)) {
          case Parsed.Bad<QueryString> _ -> "bad";
          case Parsed.Ok<QueryString>(var query) ->
              query.pairs().stream().map(p -> p.name() + "=" + p.value()).toList().toString();
        };
    assertThat(found).isEqualTo(shown);
  }

  @Test
  void aQueryHasCapsAndNamesOneThingOnce() {
    var query = QueryString.parse("a=1&b=&a=2").asOptional().orElseThrow();
    assertThat(query.all("a")).containsExactly("1", "2");
    assertThat(query.only("a")).isInstanceOf(Parsed.Bad.class);
    assertThat(query.only("b").asOptional().orElseThrow()).contains("");
    assertThat(query.only("c").asOptional().orElseThrow()).isEmpty();
    assertThat(QueryString.parse("a&".repeat(256))).isInstanceOf(Parsed.Ok.class);
    assertThat(QueryString.parse("a&".repeat(257))).isInstanceOf(Parsed.Bad.class);
    assertThat(QueryString.parse("a".repeat(8193))).isInstanceOf(Parsed.Bad.class);
    assertThat(List.of(QueryString.EMPTY)).containsExactly(new QueryString(List.of()));
  }
}
