package dev.ron.http.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StructuredFieldTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # text                  | shown
          0                       | [0, []]
          -0                      | [0, []]
          007                     | [7, []]
          999999999999999         | [999999999999999, []]
          -999999999999999        | [-999999999999999, []]
          1.5                     | [1.5d, []]
          1.0                     | [1d, []]
          1.500                   | [1.5d, []]
          -0.0                    | [0d, []]
          999999999999.999        | [999999999999.999d, []]
          -0.001                  | [-0.001d, []]
          000000000001.100        | [1.1d, []]
          ""                      | [, []]
          "a \\"b\\" \\\\ c"      | [a "b" \\ c, []]
          "%22"                   | [%22, []]
          a                       | [token:a, []]
          *                       | [token:*, []]
          A/b:c!#$%&'*+-.^_~09    | [token:A/b:c!#$%&'*+-.^_~09, []]
          ::                      | [binary:, []]
          :aGVsbG8=:              | [binary:68656c6c6f, []]
          :aGVsbG8:               | [binary:68656c6c6f, []]
          :/+Ah:                  | [binary:ffe021, []]
          ?0                      | [false, []]
          ?1                      | [true, []]
          @0                      | [date:0, []]
          @1659578233             | [date:1659578233, []]
          @-62135596800           | [date:-62135596800, []]
          %""                     | [displaystring:, []]
          %"f%c3%bc%c3%bc"        | [displaystring:füü, []]
          %"%25%22\\ %f0%9f%98%80" | [displaystring:%"\\ 😀, []]
          %"%41"                  | [displaystring:A, []]
          `1  `                   | [1, []]
          1;a                     | [1, [[a, true]]]
          1;a=?1                  | [1, [[a, true]]]
          1; a=1;  b=?0;c="x"     | [1, [[a, 1], [b, false], [c, x]]]
          1;a=1;b=2;a=3           | [1, [[a, 3], [b, 2]]]
          1;*=2;a.b-c_d*=@3       | [1, [[*, 2], [a.b-c_d*, date:3]]]
          (1 2);x                 | [[[1, []], [2, []]], [[x, true]]]
          (  1  2  );a=1          | [[[1, []], [2, []]], [[a, 1]]]
          ("x";b)                 | [[[x, [[b, true]]]], []]
          ()                      | [[], []]
          """)
  void members(String text, String shown) {
    assertThat(Shown.of(StructuredField.parseDictionary(List.of("k=" + text))))
        .isEqualTo("[[k, " + shown + "]]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                  | no item starts like this
          `\t1`               | no item starts like this
          'a'                 | no item starts like this
          é                   | no item starts like this
          -                   | a number without digits
          --1                 | a number without digits
          -a                  | a number without digits
          1000000000000000    | a number is too long
          0000000000000001    | a number is too long
          1234567890123.0     | a decimal has at most 12 digits before the point
          1.                  | a decimal has 1 to 3 digits behind the point
          1.2345              | a decimal has 1 to 3 digits behind the point
          1.2.3               | members are separated by commas
          1e3                 | members are separated by commas
          1 2                 | members are separated by commas
          1, 2                | a key starts with a-z or *
          +1                  | no item starts like this
          .5                  | no item starts like this
          "a                  | a string without end
          "a\\                | only " and \\ are escaped
          "a\\n"              | only " and \\ are escaped
          "é"                 | a string is printable ASCII
          `"\t"`              | a string is printable ASCII
          "\u007f"            | a string is printable ASCII
          :aGVsbG8=           | a byte sequence without end
          :aGVsb G8=:         | a byte sequence is not base64
          :_-Ah:              | a byte sequence is not base64
          :a:                 | a byte sequence is not base64
          :=aGVsbG8:          | a byte sequence is not base64
          ?                   | a boolean is ?0 or ?1
          ?2                  | a boolean is ?0 or ?1
          ?true               | a boolean is ?0 or ?1
          @1.5                | a date has whole seconds
          @                   | a number without digits
          @x                  | a number without digits
          %a                  | a display string starts with %"
          %"a                 | a display string without end
          %"ü"                | a display string is printable ASCII with %xx
          %"%C3%BC"           | a display string has two lower-case hex digits after %
          %"%c"               | a display string has two lower-case hex digits after %
          %"%"                | a display string has two lower-case hex digits after %
          %"%c3"              | a display string is not UTF-8
          %"%c0%80"           | a display string is not UTF-8
          %"%ed%a0%80"        | a display string is not UTF-8
          1;                  | a key starts with a-z or *
          1;A                 | a key starts with a-z or *
          1;1                 | a key starts with a-z or *
          1;=2                | a key starts with a-z or *
          1;a=                | no item starts like this
          1;a= 1              | no item starts like this
          1;a=(1)             | no item starts like this
          1 ;a                | members are separated by commas
          1;a =1              | members are separated by commas
          (1                  | items are separated by spaces
          `(1 `               | no item starts like this
          (1,2)               | items are separated by spaces
          (1(2))              | items are separated by spaces
          ((1))               | no item starts like this
          (1\t2)              | items are separated by spaces
          1)                  | members are separated by commas
          """)
  void badMembers(String text, String why) {
    assertThat(Shown.of(StructuredField.parseDictionary(List.of("k=" + text))))
        .isEqualTo("bad: " + why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                     | []
          `   `                  | []
          a=1                    | [[a, [1, []]]]
          `  a=1 \t,\tb=2  `     | [[a, [1, []]], [b, [2, []]]]
          a,b;x=1,c=?0           | [[a, [true, []]], [b, [true, [[x, 1]]]], [c, [false, []]]]
          a=?1;x                 | [[a, [true, [[x, true]]]]]
          a=1, b=2, a=3          | [[a, [3, []]], [b, [2, []]]]
          a=1,                   | bad: a comma at the end
          a=1, \t                | bad: a comma at the end
          ,a=1                   | bad: a key starts with a-z or *
          a=1,,b=2               | bad: a key starts with a-z or *
          `\ta=1`                | bad: a key starts with a-z or *
          a =1                   | bad: members are separated by commas
          a= 1                   | bad: no item starts like this
          a=                     | bad: no item starts like this
          A=1                    | bad: a key starts with a-z or *
          1=1                    | bad: a key starts with a-z or *
          a=1 b=2                | bad: members are separated by commas
          """)
  void dictionaries(String text, String shown) {
    assertThat(Shown.of(StructuredField.parseDictionary(List.of(text)))).isEqualTo(shown);
  }

  @Test
  void linesAreOneField() {
    assertThat(Shown.of(StructuredField.parseDictionary(List.of("a=1", "b=2"))))
        .isEqualTo("[[a, [1, []]], [b, [2, []]]]");
    assertThat(Shown.of(StructuredField.parseDictionary(List.of()))).isEqualTo("[]");
    assertThat(Shown.of(StructuredField.parseDictionary(List.of("a", "", "b"))))
        .startsWith("bad: ");
  }

  @Test
  void capsHoldWhatTheRfcAsksForAndNoMore() {
    cap(1024, n -> joined(n, ", ", "a%d=1"));
    cap(256, n -> "a=(" + joined(n, " ", "1") + ")");
    cap(256, n -> "a=1" + joined(n, "", ";a%d"));
    cap(64, "k"::repeat);
    cap(64, n -> "a;" + "k".repeat(n));
    cap(65_530, n -> "a=\"" + "x".repeat(n) + '"');
  }

  private static void cap(int most, IntFunction<String> text) {
    assertThat(StructuredField.parseDictionary(List.of(text.apply(most))))
        .isInstanceOf(ParseResult.Ok.class);
    assertThat(StructuredField.parseDictionary(List.of(text.apply(most + 1))))
        .isInstanceOf(ParseResult.Bad.class);
  }

  private static String joined(int count, String comma, String each) {
    return IntStream.range(0, count)
        .mapToObj(i -> each.replace("%d", Integer.toString(i)))
        .collect(Collectors.joining(comma));
  }
}
