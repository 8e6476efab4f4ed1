package dev.ron.http.server.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a route's path matches. */
final class PathPatternTest {
  @ParameterizedTest(name = "{0} on {1} -> {2}")
  @CsvSource({
    "/, /, ''",
    "/a, /a, ''",
    "/a, /a/, no",
    "/a, /ab, no",
    "/a/, /a/, ''",
    "/{x}, /a, a",
    "/{x}, /, no",
    "/{x}, /a/b, no",
    "/o/{x}, /o/a, a",
    "/o/{x}, /o/, no",
    "/o/{x}, /p/a, no",
    "/o/{x}/y/{z}, /o/1/y/2, 1|2",
    "/o/{x}/y/{z}, /o/1/y, no",
    "/o/{x...}, /o/a/b/c, a/b/c",
    "/o/{x...}, /o/, no",
    "/o/{x...}, /o, no",
    "/{x...}, /a%2Fb, a%2Fb"
  })
  void matches(String pattern, String path, String values) {
    String[] found = new PathPattern(pattern).match(path);
    assertThat(found == null ? "no" : String.join("|", found)).isEqualTo(values);
  }

  @Test
  void refusesWhatCannotBeMeant() {
    assertThatThrownBy(() -> new PathPattern("a")).hasMessageContaining("slash");
    assertThatThrownBy(() -> new PathPattern("/a{x}")).hasMessageContaining("whole segment");
    assertThatThrownBy(() -> new PathPattern("/{x}/{x}")).hasMessageContaining("twice");
  }

  @Test
  void aPathCanBeTakenForSomeValuesOnly() {
    var pattern = new PathPattern("/a/{x}", values -> values.getFirst().equals("known"));
    assertThat(pattern.match("/a/known")).containsExactly("known");
    assertThat(pattern.match("/a/other")).isNull();
  }
}
