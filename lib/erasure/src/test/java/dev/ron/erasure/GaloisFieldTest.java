package dev.ron.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.io.erasurecode.rawcoder.util.GF256;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GaloisFieldTest {
  @ParameterizedTest
  @CsvSource({"2,128,29", "3,3,5", "142,2,1", "0,77,0", "1,77,77", "255,255,226"})
  void productsWorkedByHand(int a, int b, int product) {
    assertThat(GaloisField.multiply(a, b)).isEqualTo(product);
  }

  @Test
  void everyProductIsTheOneOfAnotherImplementation() {
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        assertThat(GaloisField.multiply(a, b)).isEqualTo(GF256.gfMul((byte) a, (byte) b) & 0xff);
      }
    }
  }

  @Test
  void everyElementButZeroHasAnInverse() {
    for (int a = 1; a < 256; a++) {
      assertThat(GaloisField.multiply(a, GaloisField.inverse(a))).isEqualTo(1);
    }
    assertThatThrownBy(() -> GaloisField.inverse(0)).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void twoGeneratesEveryElement() {
    boolean[] seen = new boolean[256];
    for (int i = 0, power = 1; i < 255; i++, power = GaloisField.multiply(power, 2)) {
      assertThat(seen[power]).isFalse();
      seen[power] = true;
    }
  }
}
