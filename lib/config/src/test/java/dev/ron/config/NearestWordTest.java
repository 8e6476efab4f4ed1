package dev.ron.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestWordTest {
  @ParameterizedTest
  @CsvSource({
    "'', '', 0",
    "'', abc, 3",
    "abc, '', 3",
    "abc, abc, 0",
    "abc, abd, 1",
    "abc, acb, 1",
    "abc, ab, 1",
    "abc, xabc, 1",
    "kitten, sitting, 3",
    "shard_cuont, shard_count, 1",
    "ab, ba, 1",
    "ca, abc, 3",
  })
  void distance(String from, String to, int distance) {
    assertThat(NearestWord.distance(from, to)).isEqualTo(distance);
    assertThat(NearestWord.distance(to, from)).isEqualTo(distance);
  }

  @Test
  void tiesGoToTheFirstInTheAlphabet() {
    assertThat(NearestWord.to("bx", List.of("bc", "ba", "bb"))).contains("ba");
    assertThat(NearestWord.to("a", List.of())).isEmpty();
  }
}
