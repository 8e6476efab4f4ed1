package dev.ron.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.apache.hadoop.io.erasurecode.rawcoder.util.RSUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodingMatrixTest {
  @Test
  void theParityRowsOfFourAndTwoAreWrittenDown() {
    assertThat(new CodingMatrix(4, 2).parity().coefficients)
        .containsExactly(
            new int[] {
              inverse(4), inverse(5), inverse(6), inverse(7),
              inverse(5), inverse(4), inverse(7), inverse(6)
            });
  }

  @ParameterizedTest
  @CsvSource({"1,1", "4,2", "6,3", "10,4", "1,254", "254,1", "128,127"})
  void theParityRowsAreThoseOfHadoop(int k, int m) {
    byte[] theirs = new byte[(k + m) * k];
    RSUtil.genCauchyMatrix(theirs, k + m, k);
    assertThat(new CodingMatrix(k, m).parity().coefficients)
        .isEqualTo(Arrays.copyOfRange(theirs, k * k, theirs.length));
  }

  @Test
  void aPresentShardWouldRecoverAsItself() {
    Combination identity =
        new CodingMatrix(4, 2).recovery(ShardSet.of(1, 2, 4, 5), ShardSet.of(1, 2, 4, 5));
    assertThat(identity.coefficients)
        .containsExactly(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  }

  @Test
  void recoveryNeedsDataManyShards() {
    CodingMatrix matrix = new CodingMatrix(4, 2);
    assertThatThrownBy(() -> matrix.recovery(ShardSet.of(0, 1, 5), ShardSet.of(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("need 4 shards, have 3: [0, 1, 5]");
  }

  @ParameterizedTest
  @CsvSource({"0,1", "1,0", "255,1", "128,128", "-1,3"})
  void shapesOutsideTheFieldAreRefused(int k, int m) {
    assertThatThrownBy(() -> new CodingMatrix(k, m)).isInstanceOf(IllegalArgumentException.class);
  }

  private static int inverse(int a) {
    return (byte) GaloisField.inverse(a);
  }
}
