package dev.ron.mailbox.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.mailbox.core.message.Ulid;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MessageIndexTest {
  private final MessageIndex index = new MessageIndex(7);

  private static Ulid id(long number) {
    return new Ulid((123_456_789_012L << 16) | 7, (number << 16) | 0xbeef);
  }

  @Test
  void everyFieldComesBackWhateverTheOthersAre() {
    index.add(id(5), (1L << 47) + 3, Integer.MAX_VALUE, 1_000_000);
    for (IndexedMessage.State state : IndexedMessage.State.values()) {
      index.state(5, state);
      index.attempts(5, 1001);
      index.queued(5, true);
      index.position(5, 99);
      assertThat(index.id(5)).isEqualTo(id(5));
      assertThat(index.state(5)).isEqualTo(state);
      assertThat(index.attempts(5)).isEqualTo(1001);
      assertThat(index.queued(5)).isTrue();
      assertThat(index.position(5)).isEqualTo(99);
      assertThat(index.payloadBytes(5)).isEqualTo(Integer.MAX_VALUE);
      assertThat(index.lane(5)).isEqualTo(1_000_000);
      index.queued(5, false);
      index.position(5, (1L << 47) + 3);
      assertThat(index.position(5)).isEqualTo((1L << 47) + 3);
      assertThat(index.attempts(5)).isEqualTo(1001);
    }
    assertThat(index.contains(id(5))).isTrue();
    assertThat(index.contains(new Ulid(id(5).high(), id(5).low() ^ 1)))
        .as("other chance")
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {4_094, 4_095, 4_096, 4_097, 100_000, Integer.MAX_VALUE})
  void howeverManyAttemptsThereWereTheRestOfTheWordStays(int attempts) {
    long position = (1L << 40) + 2;
    index.add(id(5), position, 77, 9);
    index.state(5, IndexedMessage.State.IN_FLIGHT);
    for (int turn = 0; turn < 2; turn++) {
      index.attempts(5, attempts);
      assertThat(index.position(5)).isEqualTo(position);
      assertThat(index.state(5)).isEqualTo(IndexedMessage.State.IN_FLIGHT);
      assertThat(index.queued(5)).isFalse();
      assertThat(index.attempts(5)).isEqualTo(Math.min(attempts, MessageIndex.ATTEMPTS_MAX));
    }
  }

  @Test
  void aMessageCostsLessThanFortyBytesWithItsPlaceInTheQueue() {
    for (long i = 1; i <= 100_000; i++) {
      index.add(id(i), i, 1024, 0);
    }
    assertThat(index.bytes() / 100_000.0 + Long.BYTES).isLessThan(40);
    for (long i = 1; i <= 100_000; i++) {
      index.remove(i);
    }
    assertThat(index.bytes()).isZero();
  }

  @Test
  void aFrozenPageIsNotChangedAnyMore() {
    index.add(id(1), 10, 1, 0);
    index.add(id(2), 20, 1, 0);
    List<IndexPage> frozen = index.freeze();
    index.position(1, 500);
    index.remove(2);
    assertThat(frozen.getFirst().oldestPosition()).isEqualTo(10);
    var old = new ArrayList<Long>();
    frozen.getFirst().before(21, old);
    assertThat(old).containsExactly(1L, 2L);
    assertThat(index.freeze().getFirst().oldestPosition()).isEqualTo(500);
  }

  @Test
  void theyAreWalkedInTheOrderTheyCame() {
    for (long i = 1; i <= 200; i++) {
      index.add(id(i), i, 1, 0);
    }
    for (long i = 1; i <= 200; i++) {
      if (i % 3 != 0) {
        index.remove(i);
      }
    }
    var seen = new ArrayList<Long>();
    index.walk(
        number -> {
          seen.add(number);
          return seen.size() < 50;
        });
    assertThat(seen).hasSize(50).isSorted().startsWith(3L, 6L, 9L);
  }
}
