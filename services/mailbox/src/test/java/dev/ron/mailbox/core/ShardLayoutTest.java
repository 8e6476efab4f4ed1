package dev.ron.mailbox.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.Seeds;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShardLayoutTest {
  private static final long REPLAY = 1000;

  @Test
  void aChangeRemembersWhatWasAndUntilWhen() {
    ShardLayout changed = ShardLayout.of(8).changedTo(4, 100).changedTo(2, 200);
    assertThat(changed.text()).isEqualTo("2\nformerly 4 until 200\nformerly 8 until 100\n");
    assertThat(changed.shards()).isEqualTo(8);
  }

  @Test
  void theSameCountIsNoChangeAndAnEarlierOneIsKeptOnce() {
    ShardLayout layout = ShardLayout.of(8).changedTo(4, 100);
    assertThat(layout.changedTo(4, 500)).isEqualTo(layout);
    assertThat(layout.changedTo(8, 200).changedTo(4, 300).text())
        .isEqualTo("4\nformerly 8 until 300\nformerly 4 until 200\n");
  }

  @Test
  void aFormerCountGoesWhenItsKeysAreForgottenAndItsShardsEmpty() {
    ShardLayout layout = ShardLayout.of(8).changedTo(4, 100);
    assertThat(layout.settled(0, 100 + REPLAY - 1, REPLAY)).as("keys").isEqualTo(layout);
    assertThat(layout.settled(5, 100 + REPLAY, REPLAY)).as("messages").isEqualTo(layout);
    assertThat(layout.settled(4, 100 + REPLAY, REPLAY)).isEqualTo(ShardLayout.of(4));
  }

  @Test
  void afterAnIncreaseOnlyTheKeysHaveToBeWaitedFor() {
    ShardLayout layout = ShardLayout.of(4).changedTo(8, 100);
    assertThat(layout.settled(8, 100 + REPLAY, REPLAY)).isEqualTo(ShardLayout.of(8));
  }

  @Test
  void aKeyIsAskedForWhereItsTopicWasAndNowhereAfterItsTime() {
    ShardLayout layout = ShardLayout.of(8).changedTo(5, 100);
    for (int i = 0; i < 100; i++) {
      String topic = "topic-" + i;
      int was = ShardLayout.of(8).shard(topic, "");
      int is = ShardLayout.of(5).shard(topic, "");
      List<Integer> expected = was == is ? List.of() : List.of(was);
      assertThat(layout.shard(topic, "")).isEqualTo(is);
      assertThat(layout.formerly(topic, "", 100 + REPLAY - 1, REPLAY)).isEqualTo(expected);
      assertThat(layout.formerly(topic, "", 100 + REPLAY, REPLAY)).isEmpty();
    }
  }

  @Test
  void topicsSpreadOverAllShardsAndStickyKeysOverAllOfATopic() {
    var layout = ShardLayout.of(8);
    assertThat(IntStream.range(0, 200).map(i -> layout.shard("t" + i, "")).distinct().count())
        .isEqualTo(8);
    assertThat(IntStream.range(0, 200).map(i -> layout.shard("t", "k" + i)).distinct().count())
        .isEqualTo(8);
  }

  /** Moving it would bind every topic of every folder to another shard. */
  @Test
  void theHashIsTheOneItAlwaysWas() {
    assertThat(IntStream.range(0, 8).map(i -> ShardLayout.of(8).shard("t" + i, "")).toArray())
        .containsExactly(4, 7, 7, 7, 3, 1, 0, 1);
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    Seeds.forEach(
        200,
        (_, random) -> {
          ShardLayout layout = ShardLayout.of(1 + random.nextInt(64));
          for (int i = random.nextInt(5); i > 0; i--) {
            layout = layout.changedTo(1 + random.nextInt(64), random.nextLong(1L << 50));
          }
          assertThat(ShardLayout.parse(layout.text())).contains(layout);
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "8",
        "0\n",
        "65\n",
        "8\n8\n",
        "8\nformerly 4\n",
        "8\nformerly 4 until 1",
        "8\nformerly 0 until 1\n",
        "-1\n",
        "8\nformerly 4 until 1\nx"
      })
  void anythingElseIsNoLayout(String text) {
    assertThat(ShardLayout.parse(text)).isEmpty();
  }
}
