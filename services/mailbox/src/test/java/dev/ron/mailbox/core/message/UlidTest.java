package dev.ron.mailbox.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UlidTest {
  @Test
  void idsRiseAlsoWhenTheClockStandsOrIsSetBack() {
    var random = new SplittableRandom(1);
    long[] clock = {1000, 1000, 1000, 999, 5, 1000, 1001, 1001, 7, 1L << 47};
    Ulid last = Ulid.NONE;
    for (long now : clock) {
      Ulid next = Ulid.after(last, now, 513, random);
      assertThat(next).isGreaterThan(last);
      assertThat(next.shard()).isEqualTo(513);
      assertThat(next.millis()).isGreaterThanOrEqualTo(now);
      assertThat(next.toString()).isGreaterThan(last.toString()).hasSize(26);
      assertThat(Ulid.parse(next.toString())).contains(next);
      last = next;
    }
  }

  @Test
  void theyAreNumberedOneByOne() {
    var random = new SplittableRandom(1);
    Ulid last = Ulid.NONE;
    for (int i = 1; i < 1000; i++) {
      last = Ulid.after(last, random.nextInt(100), 2, random);
      assertThat(last.number()).isEqualTo(i);
    }
  }

  @Test
  void theKnownTextOfAKnownNumber() {
    assertThat(new Ulid(0, 0)).hasToString("00000000000000000000000000");
    assertThat(new Ulid(-1, -1)).hasToString("7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
    // The example of the ULID specification, whose time is 1469918176385.
    assertThat(Ulid.parse("01ARYZ6S41TSV4RRFFQ69G5FAV").orElseThrow().millis())
        .isEqualTo(1469918176385L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
        "01aryz6s41tsv4rrffq69g5fav",
        "01ARYZ6S41TSV4RRFFQ69G5FA",
        "01ARYZ6S41TSV4RRFFQ69G5FAVX",
        "01ARYZ6S41TSV4RRFFQ69G5FAU"
      })
  void otherSpellingsAreNoIds(String text) {
    assertThat(Ulid.parse(text)).isEmpty();
  }
}
