package dev.ron.http.field;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.field.Conditionals.Current;
import dev.ron.http.field.Conditionals.Decision;
import dev.ron.http.field.Conditionals.Method;
import dev.ron.testkit.SeedRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionalsTest {
  private static final Instant NOW = Instant.parse("2026-11-15T00:00:00Z");
  private static final String DAY2 = "Tue, 02 Jan 2024 00:00:00 GMT";
  private static final Map<String, String> WORDS =
      Map.of(
          "DAY1", "Mon, 01 Jan 2024 00:00:00 GMT",
          "DAY2", DAY2,
          "DAY3", "Wed, 03 Jan 2024 00:00:00 GMT");

  /**
   * The target is {@code "a"} of day two unless the row says {@code absent}, {@code weak} (its tag
   * is), {@code bare} (no validators) or {@code young} (its date is not a strong validator).
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # method | target | fields                                              | decision
          GET      | there  | ``                                                  | proceed, range
          HEAD     | there  | ``                                                  | proceed
          PUT      | absent | ``                                                  | proceed
          # step 1
          GET      | there  | if-match: "a"                                       | proceed, range
          GET      | there  | if-match: "b"                                       | 412
          PUT      | there  | if-match: "b", "a"                                  | proceed
          PUT      | there  | if-match: W/"a"                                     | 412
          PUT      | weak   | if-match: W/"a"                                     | 412
          PUT      | there  | if-match: *                                         | proceed
          PUT      | absent | if-match: *                                         | 412
          PUT      | absent | if-match: "a"                                       | 412
          PUT      | bare   | if-match: *                                         | proceed
          PUT      | bare   | if-match: "a"                                       | 412
          # step 2, only without if-match
          PUT      | there  | if-unmodified-since: DAY2                           | proceed
          PUT      | there  | if-unmodified-since: DAY3                           | proceed
          PUT      | there  | if-unmodified-since: DAY1                           | 412
          GET      | there  | if-unmodified-since: DAY1                           | 412
          PUT      | there  | if-match: "a" & if-unmodified-since: DAY1           | proceed
          PUT      | there  | if-match: "b" & if-unmodified-since: DAY3           | 412
          PUT      | there  | if-unmodified-since: yesterday                      | proceed
          PUT      | bare   | if-unmodified-since: DAY1                           | proceed
          # step 3
          GET      | there  | if-none-match: "a"                                  | 304
          HEAD     | there  | if-none-match: "b", W/"a"                           | 304
          GET      | weak   | if-none-match: "a"                                  | 304
          GET      | there  | if-none-match: "b"                                  | proceed, range
          GET      | there  | if-none-match: *                                    | 304
          PUT      | there  | if-none-match: *                                    | 412
          PUT      | absent | if-none-match: *                                    | proceed
          DELETE   | there  | if-none-match: "a"                                  | 412
          GET      | absent | if-none-match: "a"                                  | proceed, range
          GET      | bare   | if-none-match: *                                    | 304
          GET      | there  | if-match: "b" & if-none-match: "a"                  | 412
          GET      | there  | if-match: "a" & if-none-match: "a"                  | 304
          # step 4, only without if-none-match, only for GET and HEAD
          GET      | there  | if-modified-since: DAY2                             | 304
          GET      | there  | if-modified-since: DAY3                             | 304
          HEAD     | there  | if-modified-since: DAY2                             | 304
          GET      | there  | if-modified-since: DAY1                             | proceed, range
          POST     | there  | if-modified-since: DAY3                             | proceed
          GET      | there  | if-none-match: "b" & if-modified-since: DAY3        | proceed, range
          GET      | there  | if-none-match: "a" & if-modified-since: DAY1        | 304
          GET      | there  | if-modified-since: 2024                             | proceed, range
          GET      | bare   | if-modified-since: DAY3                             | proceed, range
          GET      | there  | if-unmodified-since: DAY2 & if-modified-since: DAY2 | 304
          # step 5
          GET      | there  | if-range: "a"                                       | proceed, range
          GET      | there  | if-range: "b"                                       | proceed
          GET      | there  | if-range: W/"a"                                     | proceed
          GET      | weak   | if-range: W/"a"                                     | proceed
          GET      | there  | if-range: DAY2                                      | proceed, range
          GET      | young  | if-range: DAY2                                      | proceed
          GET      | there  | if-range: DAY3                                      | proceed
          GET      | there  | if-range: DAY1                                      | proceed
          GET      | bare   | if-range: DAY2                                      | proceed
          GET      | there  | if-range: a                                         | proceed
          GET      | there  | if-range: "a", "b"                                  | proceed
          HEAD     | there  | if-range: "a"                                       | proceed
          GET      | there  | if-none-match: "a" & if-range: "a"                  | 304
          GET      | there  | if-match: "a" & if-range: "b"                       | proceed
          # what cannot be read
          GET      | there  | if-match: a                                         | bad
          GET      | there  | if-none-match: "a                                   | bad
          GET      | there  | if-modified-since: DAY3 & if-modified-since: DAY3   | proceed, range
          GET      | there  | if-range: "a" & if-range: "a"                       | proceed
          """)
  void precedence(String method, String target, String fields, String decision) {
    String shown =
        switch (Conditionals.parse(name -> lines(fields, name), NOW)) {
          case ParseResult.Bad<Conditionals> _ -> "bad";
          case ParseResult.Ok<Conditionals>(var conditionals) ->
              shown(conditionals.decide(Method.of(method), current(target)));
        };
    assertThat(shown).isEqualTo(decision);
  }

  /** A second reading of section 13.2.2, with every combination of what can be true. */
  @Test
  @SeedRow("E11")
  void everyCombinationAgreesWithTheSteps() {
    for (int bits = 0; bits < 3 * 3 * 3 * 3 * 3 * 3; bits++) {
      int rest = bits;
      int[] state = new int[6];
      for (int i = 0; i < 6; i++, rest /= 3) {
        state[i] = rest % 3;
      }
      var fields = new HashMap<String, List<String>>();
      // 0 absent, 1 a condition that holds, 2 one that does not.
      put(fields, "if-match", state[0], "\"a\"", "\"b\"");
      put(fields, "if-unmodified-since", state[1], WORDS.get("DAY3"), WORDS.get("DAY1"));
      put(fields, "if-none-match", state[2], "\"b\"", "\"a\"");
      put(fields, "if-modified-since", state[3], WORDS.get("DAY1"), WORDS.get("DAY3"));
      put(fields, "if-range", state[4], "\"a\"", "\"b\"");
      Method method = List.of(Method.GET, Method.HEAD, Method.OTHER).get(state[5]);
      var decision =
          Conditionals.parse(name -> fields.getOrDefault(name, List.of()), NOW)
              .asOptional()
              .orElseThrow()
              .decide(method, current("there"));
      assertThat(shown(decision)).as("%s %s", method, fields).isEqualTo(expected(state, method));
    }
  }

  private static String expected(int[] state, Method method) {
    boolean failed = state[0] == 2 || (state[0] == 0 && state[1] == 2);
    if (failed) {
      return "412";
    }
    if (state[2] == 2) {
      return method == Method.OTHER ? "412" : "304";
    }
    if (state[2] == 0 && state[3] == 2 && method != Method.OTHER) {
      return "304";
    }
    return method == Method.GET && state[4] != 2 ? "proceed, range" : "proceed";
  }

  private static void put(
      Map<String, List<String>> fields, String name, int state, String holds, String fails) {
    if (state > 0) {
      fields.put(name, List.of(state == 1 ? holds : fails));
    }
  }

  private static List<String> lines(String fields, String name) {
    var found = new ArrayList<String>();
    for (String field : fields.split(" & ", -1)) {
      if (field.startsWith(name + ": ")) {
        String value = field.substring(name.length() + 2);
        found.add(WORDS.getOrDefault(value, value));
      }
    }
    return found;
  }

  private static Current current(String target) {
    var day2 = Optional.of(HttpDate.parse(DAY2, NOW).asOptional().orElseThrow());
    var tag = Optional.of(ETag.strong("a"));
    return switch (target) {
      case "absent" -> Current.ABSENT;
      case "weak" -> new Current(true, Optional.of(ETag.weak("a")), day2, true);
      case "bare" -> new Current(true, Optional.empty(), Optional.empty(), false);
      case "young" -> new Current(true, tag, day2, false);
      case "there" -> new Current(true, tag, day2, true);
      default -> throw new AssertionError(target);
    };
  }

  private static String shown(Decision decision) {
    return switch (decision) {
      case Decision.Proceed(boolean range) -> range ? "proceed, range" : "proceed";
      case Decision.NotModified _ -> "304";
      case Decision.PreconditionFailed _ -> "412";
    };
  }
}
