package dev.ron.http.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ETagTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "a"       | "a"
          W/"a"     | W/"a"
          ""        | ""
          "a,b'\\"  | "a,b'\\"
          "é"       | "é"
          w/"a"     | bad: an entity tag starts with " or W/"
          W"a"      | bad: an entity tag starts with " or W/"
          a         | bad: an entity tag starts with " or W/"
          ``        | bad: an entity tag starts with " or W/"
          "a b"     | bad: an entity tag ends with " and has no space or control in it
          "a        | bad: an entity tag ends with " and has no space or control in it
          "a\u0100" | bad: an entity tag ends with " and has no space or control in it
          "a""      | bad: more after the entity tag
          "a", "b"  | bad: more after the entity tag
          """)
  void reading(String text, String shown) {
    assertThat(Shown.of(ETag.parse(text))).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      textBlock =
          """
          W/"1", W/"1", false, true
          W/"1", W/"2", false, false
          W/"1", "1",   false, true
          "1",   "1",   true,  true
          "1",   "2",   false, false
          """)
  void comparison(String left, String right, boolean strongly, boolean weakly) {
    ETag one = ETag.parse(left).asOptional().orElseThrow();
    ETag two = ETag.parse(right).asOptional().orElseThrow();
    assertThat(List.of(one.matchesStrongly(two), two.matchesStrongly(one))).containsOnly(strongly);
    assertThat(List.of(one.matchesWeakly(two), two.matchesWeakly(one))).containsOnly(weakly);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          *                 | Any[]
          `  * `            | Any[]
          "a"               | Listed[tags=["a"]]
          "a","b"           | Listed[tags=["a", "b"]]
          "a" ,, W/"b,c" ,  | Listed[tags=["a", W/"b,c"]]
          ,"a"              | Listed[tags=["a"]]
          ``                | bad: no entity tag
          ,,                | bad: no entity tag
          *, "a"            | bad: an entity tag starts with " or W/"
          "a", *            | bad: an entity tag starts with " or W/"
          "a" "b"           | bad: entity tags are separated by commas
          "a                | bad: an entity tag ends with " and has no space or control in it
          """)
  void lists(String text, String shown) {
    assertThat(Shown.of(ETags.parse(List.of(text)))).isEqualTo(shown);
  }

  @Test
  void linesAreOneList() {
    assertThat(Shown.of(ETags.parse(List.of("\"a\"", "", "\"b\""))))
        .isEqualTo("Listed[tags=[\"a\", \"b\"]]");
    assertThat(Shown.of(ETags.parse(List.of("*", "*")))).startsWith("bad: ");
  }

  @Test
  void caps() {
    String longest = "x".repeat(ETag.OPAQUE_CHARS_MAX);
    assertThat(ETag.parse('"' + longest + '"').asOptional()).contains(ETag.strong(longest));
    assertThat(Shown.of(ETag.parse('"' + longest + "x\"")))
        .isEqualTo("bad: an entity tag has at most 1024 characters");
    List<String> most = Collections.nCopies(ETags.TAGS_MAX, "\"a\"");
    assertThat(ETags.parse(most)).isInstanceOf(ParseResult.Ok.class);
    List<String> tooMany = Collections.nCopies(ETags.TAGS_MAX + 1, "\"a\"");
    assertThat(Shown.of(ETags.parse(tooMany))).isEqualTo("bad: more than 256 entity tags");
  }

  @Test
  void aTagThatCannotBeWrittenCannotBeMade() {
    assertThatThrownBy(() -> ETag.strong("a\"b")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ETag.weak("a\r\nSet-Cookie: b"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
