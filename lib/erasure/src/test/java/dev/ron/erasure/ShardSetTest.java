package dev.ron.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardSetTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 127, 128, 191, 192, 254})
  void everyWordHoldsItsShards(int shard) {
    ShardSet one = ShardSet.of(shard);
    assertThat(one.toArray()).containsExactly(shard);
    assertThat(one.contains(shard)).isTrue();
    assertThat(one.contains(shard + 1)).isFalse();
    assertThat(one.minus(one).isEmpty()).isTrue();
    assertThat(ShardSet.range(0, 255).minus(one).size()).isEqualTo(254);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 255, 256, 1000})
  void noSuchShard(int shard) {
    assertThatThrownBy(() -> ShardSet.of(shard))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("shard index " + shard);
    assertThat(ShardSet.range(0, 255).contains(shard)).isFalse();
  }

  @Test
  void setsCombine() {
    ShardSet set = ShardSet.of(1, 70, 200);
    assertThat(set.plus(ShardSet.of(2))).isEqualTo(ShardSet.of(1, 2, 70, 200));
    assertThat(set.minus(ShardSet.of(70, 5))).isEqualTo(ShardSet.of(1, 200));
    assertThat(set.containsAll(ShardSet.of(1, 200))).isTrue();
    assertThat(set.containsAll(ShardSet.of(1, 2))).isFalse();
    assertThat(set.containsAny(ShardSet.of(2, 200))).isTrue();
    assertThat(set.containsAny(ShardSet.of(2, 3))).isFalse();
    assertThat(set).hasToString("[1, 70, 200]");
  }
}
