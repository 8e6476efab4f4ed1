package dev.ron.bench.compute;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlainParityTest {
  /** Powers of two wrap round by the polynomial: 2^8 is 0x1d, and 2^255 is 1 again. */
  @ParameterizedTest
  @CsvSource({"0,7,0", "1,7,7", "2,0x80,0x1d", "0x80,2,0x1d", "0x8e,2,1", "3,0xf4,1"})
  void productsAreThoseOfTheField(String a, String b, String product) {
    assertThat(PlainParity.product(Integer.decode(a), Integer.decode(b)))
        .isEqualTo(Integer.decode(product));
  }

  /** One data shard of ones: each parity byte is the coefficient itself, the inverse of 1 and 2. */
  @Test
  void coefficientsAreCauchys() {
    byte[][] shards = {{1, 1}, {9, 9}, {9, 9}};
    new PlainParity(1, 2).encode(shards);
    assertThat(shards).isDeepEqualTo(new byte[][] {{1, 1}, {1, 1}, {(byte) 0x8e, (byte) 0x8e}});
  }
}
