package dev.ron.http.field;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.testkit.SeedRow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Whatever arrives, the parsers answer, and what they accept they write and read again.
 *
 * <p>Every build replays the corpus in {@code src/test/resources/dev/ron/http/field/
 * FieldFuzzTestInputs/<method>}. To fuzz, one target for each JVM:
 *
 * <pre>
 * JAZZER_FUZZ=1 ./mvnw -Dron.fuzz.hooks=true -pl lib/http -am verify -Dtest='FieldFuzzTest#ranges' -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
class FieldFuzzTest {
  private static final Instant NOW = Instant.parse("2026-11-15T00:00:00Z");

  @FuzzTest(maxDuration = "2m")
  @SeedRow("E77")
  void ranges(FuzzedDataProvider data) {
    long total = data.consumeLong(0, Long.MAX_VALUE);
    String text = data.consumeRemainingAsString();
    RangesTest.check(Ranges.select(List.of(text), total), total, text);
    ContentRange.parse(text)
        .asOptional()
        .ifPresent(
            range ->
                assertThat(ContentRange.parse(range.toString())).isEqualTo(ParseResult.ok(range)));
  }

  @FuzzTest(maxDuration = "2m")
  @SeedRow("E77")
  void conditionals(FuzzedDataProvider data) {
    boolean exists = data.consumeBoolean();
    String method = data.pickValue(new String[] {"GET", "HEAD", "PUT"});
    String[] fields = data.consumeRemainingAsString().split("\n", -1);
    var names =
        List.of(
            "if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range");
    var parsed =
        Conditionals.parse(
            name -> {
              int at = names.indexOf(name);
              return at < fields.length ? List.of(fields[at]) : List.of();
            },
            NOW);
    if (parsed instanceof ParseResult.Ok<Conditionals>(var conditionals)) {
      var current =
          exists
              ? new Conditionals.Current(
                  true, Optional.of(ETag.strong("a")), Optional.of(new HttpDate(NOW)), true)
              : Conditionals.Current.ABSENT;
      var decision = conditionals.decide(Conditionals.Method.of(method), current);
      // What is not there can neither be unmodified nor serve a part of itself by its tag.
      assertThat(exists || !(decision instanceof Conditionals.Decision.NotModified)).isTrue();
    }
  }

  @FuzzTest(maxDuration = "2m")
  void structuredFields(FuzzedDataProvider data) {
    // Nothing is written back: that every text is answered, and none throws, is the claim.
    String text = data.consumeRemainingAsString();
    assertThat(StructuredField.parseDictionary(List.of(text))).isNotNull();
    assertThat(StructuredField.parseDictionary(List.of("k=" + text))).isNotNull();
  }
}
