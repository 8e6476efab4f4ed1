package dev.ron.http.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.testkit.Seed;
import dev.ron.testkit.SeedRow;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RangesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          bytes=0-499                 | 10000 | 0-499
          bytes=500-999               | 10000 | 500-999
          bytes=-500                  | 10000 | 9500-9999
          bytes=9500-                 | 10000 | 9500-9999
          bytes=0-0,-1                | 10000 | 0-0 9999-9999
          bytes=0-0                   | 1     | 0-0
          bytes=0-                    | 1     | 0-0
          bytes=0-99999               | 100   | 0-99
          bytes=-99999                | 100   | 0-99
          bytes=99-99                 | 100   | 99-99
          bytes=100-100               | 100   | none of 100
          bytes=100-                  | 100   | none of 100
          bytes=-0                    | 100   | none of 100
          bytes=0-0                   | 0     | none of 0
          bytes=0-                    | 0     | none of 0
          bytes=-0                    | 0     | none of 0
          bytes=-5                    | 0     | whole
          bytes=100-,200-300,-0       | 100   | none of 100
          bytes=100-,5-6              | 100   | 5-6
          BYTES=1-2                   | 10    | 1-2
          bytes=1-2 , 4-5             | 10    | 1-2 4-5
          bytes= 1-2                  | 10    | 1-2
          bytes=,1-2,,4-5,            | 10    | 1-2 4-5
          bytes=4-5,1-2               | 10    | 4-5 1-2
          bytes=0-5,5-8               | 100   | 0-5 5-8
          bytes=0-5,4-6,5-7           | 100   | ignored: more than two overlapping ranges
          bytes=0-,0-                 | 100   | ignored: more bytes than the whole
          bytes=0-59,40-99            | 100   | ignored: more bytes than the whole
          bytes=00000000000000000000000001-002 | 10 | 1-2
          bytes=0-99999999999999999999999999   | 10 | 0-9
          bytes=99999999999999999999999999-    | 10 | none of 10
          bytes=-99999999999999999999999999    | 10 | 0-9
          bytes=9223372036854775807-9223372036854775807 | 10 | none of 10
          bytes=                      | 10    | ignored: not a list of byte ranges
          bytes=,                     | 10    | ignored: not a list of byte ranges
          bytes=-                     | 10    | ignored: not a list of byte ranges
          bytes=1                     | 10    | ignored: not a list of byte ranges
          bytes=2-1                   | 10    | ignored: not a list of byte ranges
          bytes=0-1,2-1               | 10    | ignored: not a list of byte ranges
          bytes=1 -2                  | 10    | ignored: not a list of byte ranges
          bytes=1- 2                  | 10    | ignored: not a list of byte ranges
          bytes=--1                   | 10    | ignored: not a list of byte ranges
          bytes=1-2-3                 | 10    | ignored: not a list of byte ranges
          bytes=+1-2                  | 10    | ignored: not a list of byte ranges
          bytes=0x1-2                 | 10    | ignored: not a list of byte ranges
          bytes=1-2;3-4               | 10    | ignored: not a list of byte ranges
          bytes=١-٢                   | 10    | ignored: not a list of byte ranges
          bytes =1-2                  | 10    | ignored: a unit other than bytes
          bytes 1-2                   | 10    | ignored: a unit other than bytes
          lines=1-2                   | 10    | ignored: a unit other than bytes
          1-2                         | 10    | ignored: a unit other than bytes
          ``                          | 10    | ignored: a unit other than bytes
          """)
  void selection(String field, long bytesTotal, String shown) {
    assertThat(shown(Ranges.select(List.of(field), bytesTotal))).isEqualTo(shown);
  }

  @Test
  void noFieldIsEverythingAndTwoAreNone() {
    assertThat(shown(Ranges.select(List.of(), 10))).isEqualTo("whole");
    assertThat(shown(Ranges.select(List.of("bytes=0-1", "bytes=2-3"), 10)))
        .isEqualTo("ignored: several Range fields");
  }

  @Test
  @SeedRow("E54")
  void caps() {
    assertThat(Ranges.select(List.of(apart(16)), 1000)).isInstanceOf(Ranges.Several.class);
    assertThat(shown(Ranges.select(List.of(apart(17)), 1000)))
        .isEqualTo("ignored: more than 16 ranges");
    // Ranges that no byte satisfies count too: they cost as much to read.
    assertThat(shown(Ranges.select(List.of(apart(17)), 1)))
        .isEqualTo("ignored: more than 16 ranges");
    assertThat(shown(Ranges.select(List.of("bytes=0-" + "9".repeat(2000)), 1000)))
        .isEqualTo("ignored: longer than 1024 characters");
    assertThatThrownBy(() -> Ranges.select(List.of(), -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Whatever is asked, what is selected lies within, and is never more than the whole. */
  @Test
  @SeedRow("E11")
  void neverMoreThanThereIs() {
    var seed = Seed.fresh();
    var random = seed.random();
    String alphabet = "0123456789-,, =bytes";
    for (int i = 0; i < 100_000; i++) {
      var text = new StringBuilder(random.nextInt(8) == 0 ? "" : "bytes=");
      int chars = random.nextInt(24);
      for (int c = 0; c < chars; c++) {
        text.append(alphabet.charAt(random.nextInt(random.nextInt(4) == 0 ? 20 : 12)));
      }
      long total = random.nextInt(3) == 0 ? random.nextInt(3) : random.nextLong(Long.MAX_VALUE);
      check(Ranges.select(List.of(text.toString()), total), total, seed + " " + text);
    }
  }

  static void check(Ranges ranges, long total, String note) {
    List<ByteRange> selected =
        switch (ranges) {
          case Ranges.Single(var range) -> List.of(range);
          case Ranges.Several(var several) -> several;
          case Ranges.Whole _, Ranges.Unsatisfiable _, Ranges.Ignored _ -> List.of();
        };
    long left = total;
    for (ByteRange range : selected) {
      assertThat(range.last()).as(note).isLessThan(total);
      left -= range.bytes();
    }
    assertThat(left).as(note).isNotNegative();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          bytes 0-499/1234     | bytes 0-499/1234
          Bytes 0-499/*        | bytes 0-499/*
          bytes */1234         | bytes */1234
          bytes 0-0/1          | bytes 0-0/1
          bytes 00-09/010      | bytes 0-9/10
          bytes 5-4/10         | bad: a content range ends before it starts or after the total
          bytes 0-10/10        | bad: a content range ends before it starts or after the total
          bytes */*            | bad: not a content range in bytes
          bytes 0-499          | bad: not a content range in bytes
          bytes=0-499/1234     | bad: not a content range in bytes
          bytes  0-499/1234    | bad: not a content range in bytes
          bytes 0-1/9999999999999999999 | bad: not a content range in bytes
          items 0-499/1234     | bad: not a content range in bytes
          """)
  void contentRange(String text, String shown) {
    assertThat(Shown.of(ContentRange.parse(text))).isEqualTo(shown);
  }

  @Test
  void aContentRangeThatCannotBeIsABug() {
    assertThat(ContentRange.of(new ByteRange(0, 4), 10)).hasToString("bytes 0-4/10");
    assertThatThrownBy(() -> ContentRange.of(new ByteRange(0, 10), 10))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ByteRange(3, 2)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ContentRange.Unsatisfied(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static String apart(int ranges) {
    return IntStream.range(0, ranges)
        .mapToObj(i -> i * 10 + "-" + (i * 10 + 1))
        .collect(Collectors.joining(",", "bytes=", ""));
  }

  private static String shown(Ranges ranges) {
    return switch (ranges) {
      case Ranges.Whole _ -> "whole";
      case Ranges.Single(var range) -> shown(range);
      case Ranges.Several(var several) ->
          several.stream().map(RangesTest::shown).collect(Collectors.joining(" "));
      case Ranges.Unsatisfiable(long bytesTotal) -> "none of " + bytesTotal;
      case Ranges.Ignored(var why) -> "ignored: " + why;
    };
  }

  private static String shown(ByteRange range) {
    return range.first() + "-" + range.last();
  }
}
