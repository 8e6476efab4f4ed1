package dev.ron.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StripeLayoutTest {
  @ParameterizedTest
  @CsvSource({
    // object, stripes, shard
    "      0, 0,      0",
    "      1, 1,  65536",
    " 393215, 1,  65536",
    " 393216, 1,  65536",
    " 393217, 2, 131072",
  })
  void lengths(long objectBytes, long stripes, long shardBytes) {
    StripeLayout layout = StripeLayout.of(6, 3, objectBytes);
    assertThat(layout.stripes()).isEqualTo(stripes);
    assertThat(layout.shardBytes()).isEqualTo(shardBytes);
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
    assertThatThrownBy(() -> new StripeLayout(k, m, unitBytes, objectBytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void theLargestObjectDoesNotOverflow() {
    StripeLayout layout = StripeLayout.of(1, 1, Long.MAX_VALUE - StripeLayout.UNIT_BYTES);
    assertThat(layout.shardBytes()).isBetween(layout.objectBytes(), Long.MAX_VALUE);
  }
}
