package dev.ron.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayoutTest {
  @ParameterizedTest
  @CsvSource({
    // object, stripes, shard, padding
    "      0, 0,      0,      0",
    "      1, 1,  65536, 393215",
    " 393215, 1,  65536,      1",
    " 393216, 1,  65536,      0",
    " 393217, 2, 131072, 393215",
  })
  void lengths(long objectBytes, long stripes, long shardBytes, long paddingBytes) {
    Layout layout = Layout.of(6, 3, objectBytes);
    assertThat(layout.stripes()).isEqualTo(stripes);
    assertThat(layout.shardBytes()).isEqualTo(shardBytes);
    assertThat(layout.paddingBytes()).isEqualTo(paddingBytes);
  }

  @ParameterizedTest
  @CsvSource({
    // byte, shard, offset in the shard; units of 10, stripes of 40
    "0, 0, 0",
    "9, 0, 9",
    "10, 1, 0",
    "39, 3, 9",
    "40, 0, 10",
    "55, 1, 15",
    "99, 1, 29"
  })
  void everyByteHasItsPlace(long at, int shard, long offset) {
    Layout layout = new Layout(4, 2, 10, 100);
    assertThat(layout.shardOf(at)).isEqualTo(shard);
    assertThat(layout.shardOffsetOf(at)).isEqualTo(offset);
  }

  @Test
  void paddingHasNoPlace() {
    Layout layout = new Layout(4, 2, 10, 100);
    assertThatThrownBy(() -> layout.shardOf(100)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> layout.shardOffsetOf(-1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "0,3,1,0,dataShards=0",
    "6,0,1,0,parityShards=0",
    "200,56,1,0,dataShards=200",
    "6,3,0,0,unitBytes=0",
    "6,3,1,-1,objectBytes=-1",
    "6,3,65536,9223372036854775807,objectBytes=9223372036854775807"
  })
  void wrongOnesAreRefused(int k, int m, int unitBytes, long objectBytes, String message) {
    assertThatThrownBy(() -> new Layout(k, m, unitBytes, objectBytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void theLargestObjectDoesNotOverflow() {
    Layout layout = Layout.of(1, 1, Long.MAX_VALUE - Layout.UNIT_BYTES);
    assertThat(layout.shardBytes()).isBetween(layout.objectBytes(), Long.MAX_VALUE);
    assertThat(layout.paddingBytes()).isBetween(0L, (long) Layout.UNIT_BYTES);
  }
}
