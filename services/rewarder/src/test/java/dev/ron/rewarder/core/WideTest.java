package dev.ron.rewarder.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.testkit.Seeds;
import java.math.BigInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** {@link Wide} against BigInteger. */
final class WideTest {
  private static final BigInteger LIMIT = BigInteger.TWO.pow(127);

  static Wide random(RandomGenerator random) {
    Wide any = new Wide(random.nextLong() >>> 1, random.nextLong());
    return switch (random.nextInt(6)) {
      case 0 -> Wide.of(random.nextInt(10));
      case 1 -> new Wide(0, random.nextLong());
      case 2 -> new Wide(random.nextLong() >>> (1 + random.nextInt(62)), random.nextLong());
      case 3 -> new Wide(0, random.nextLong() >>> random.nextInt(64));
      case 4 -> Wide.MAX.minus(Wide.of(random.nextInt(3)));
      default -> any;
    };
  }

  static BigInteger big(Wide value) {
    return new BigInteger(1, value.bytes());
  }

  @Test
  void everyOperationAgreesWithBigInteger() {
    Seeds.forEach(
        40,
        (_, random) -> {
          for (int i = 0; i < 1000; i++) {
            Wide a = random(random);
            Wide b = random(random);
            Wide c = random(random);
            agree(a, b);
            divides(a, b, c);
          }
        });
  }

  private static void agree(Wide a, Wide b) {
    BigInteger sum = big(a).add(big(b));
    assertThat(a.toString()).isEqualTo(big(a).toString());
    assertThat(Wide.parse(a.toString())).contains(a);
    assertThat(a.compareTo(b)).isEqualTo(big(a).compareTo(big(b)));
    assertThat(a.bitLength()).isEqualTo(big(a).bitLength());
    if (sum.compareTo(LIMIT) < 0) {
      assertThat(big(a.plus(b))).isEqualTo(sum);
      assertThat(a.plus(b).minus(b)).isEqualTo(a);
    } else {
      assertThatThrownBy(() -> a.plus(b)).isInstanceOf(ArithmeticException.class);
    }
    if (a.compareTo(b) < 0) {
      assertThatThrownBy(() -> a.minus(b)).isInstanceOf(ArithmeticException.class);
    }
    long factor = b.low() >>> 1;
    BigInteger product = big(a).multiply(BigInteger.valueOf(factor));
    if (product.compareTo(LIMIT) < 0) {
      assertThat(big(a.times(factor))).isEqualTo(product);
    } else {
      assertThatThrownBy(() -> a.times(factor)).isInstanceOf(ArithmeticException.class);
    }
  }

  private static void divides(Wide a, Wide b, Wide c) {
    if (c.isZero()) {
      assertThatThrownBy(() -> a.timesDividedBy(b, c)).isInstanceOf(ArithmeticException.class);
      return;
    }
    BigInteger[] expected = big(a).multiply(big(b)).divideAndRemainder(big(c));
    if (expected[0].compareTo(LIMIT) >= 0) {
      assertThatThrownBy(() -> a.timesDividedBy(b, c)).isInstanceOf(ArithmeticException.class);
      return;
    }
    Wide.Division division = a.timesDividedBy(b, c);
    assertThat(big(division.quotient())).as("%s * %s / %s", a, b, c).isEqualTo(expected[0]);
    assertThat(big(division.remainder())).as("%s * %s mod %s", a, b, c).isEqualTo(expected[1]);
  }

  @Test
  void textThatIsNoNumberIsRefused() {
    for (String text : new String[] {"", "-1", "+1", "01", "1 ", "1.0", "0x1", "१", "1e3"}) {
      assertThat(Wide.parse(text)).as(text).isEmpty();
    }
    assertThat(Wide.parse(LIMIT.toString())).isEmpty();
    assertThat(Wide.parse(LIMIT.subtract(BigInteger.ONE).toString())).contains(Wide.MAX);
    assertThat(Wide.parse("0")).contains(Wide.ZERO);
  }
}
