package dev.ron.gateway.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FewPlacesTest {
  /** Each in turn takes all it can have and keeps it. */
  @ParameterizedTest
  @CsvSource({
    // places, what the first had before, what each gets
    "8,   0, 4 2 1 1 0",
    "8, 120, 0 2 1 1 0",
    "8,   5, 0 2 1 1 0",
    "4,   0, 2 1 1 0",
    "4,   9, 0 1 1 0",
    "1,   0, 1 0",
    "63,  0, 32 16 8 4 2 1 1 0"
  })
  void eachMayHaveAsManyAsAreFree(int limit, int before, String gets) {
    List<Integer> held = new ArrayList<>(List.of(before));
    var got = new StringBuilder();
    for (int i = 0; i < gets.split(" ", -1).length; i++) {
      if (i > 0) {
        held.add(0);
      }
      int from = held.get(i);
      while (FewPlaces.of(limit, held).openTo(held.get(i))) {
        held.set(i, held.get(i) + 1);
      }
      got.append(i == 0 ? "" : " ").append(held.get(i) - from);
    }
    assertThat(got.toString()).isEqualTo(gets);
  }

  @Test
  void fewIsLessThanHalfOfWhatThereIs() {
    assertThat(FewPlaces.are(64, 128)).isFalse();
    assertThat(FewPlaces.are(63, 128)).isTrue();
    assertThat(FewPlaces.are(1, 1)).isFalse();
    assertThat(FewPlaces.are(4, 4)).isFalse();
  }
}
